import type { WriteOp } from "../../../adapters/store/port.ts";
import { mapInSlices } from "../../../adapters/time-slices.ts";
import type { ChildCall, StepEntry } from "../../../core/run/entry.ts";
import { keyOf, nodeAt, type Address } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { newExecution } from "../store/new-execution.ts";
import { ExecutionJournal } from "../store/journal.ts";
import type { EngineParts } from "./parts.ts";

/** The address of a step, with the child execution that the step calls for. */
export type Call = Address & { child?: ChildCall | undefined };

/**
 * The writes that store the child execution of a step and queue it with this order. They conflict when the child is
 * already stored.
 */
export function childWrites(
  { store }: EngineParts,
  state: RunState,
  parent: ExecutionDoc,
  { child, ...at }: Call,
  order: number,
): WriteOp[] {
  if (!child) return [];
  const { nodeId, path } = at;
  const former = child.formerId ?? state.formerChildren.get(keyOf(at));
  const { doc, created } = newExecution({
    id: child.id,
    workspaceId: parent.workspaceId,
    spaceId: child.spaceId,
    workflowId: child.workflowId,
    workflowVersion: child.version,
    startedBy: parent.startedBy,
    trigger: { type: "subworkflow", id: parent.id },
    attempt: nodeAt(state, at)?.attempt ?? 1,
    input: child.input,
    retryOf: former,
    ...(former !== undefined && { retryFrom: null }),
    parent: { executionId: parent.id, nodeId, ...(path && { path }) },
    depth: (parent.depth ?? 0) + 1,
    deployed: parent.deployed,
    forFailure: parent.forFailure,
    needs: child.needs,
  });
  const journal = new ExecutionJournal(store, parent.workspaceId, child.id);
  const docs = store.tenant(Executions, parent.workspaceId);
  return [journal.append(created), docs.ops.insert({ ...doc, queued: true, order })];
}

/**
 * Writes what a run appends, together with the child executions that these entries call for. Returns what `Store.write`
 * returns.
 */
export async function writeWithChildren(
  parts: EngineParts,
  state: RunState,
  doc: ExecutionDoc,
  entries: readonly StepEntry[],
  appends: readonly WriteOp[],
  ops: readonly WriteOp[],
): Promise<number[]> {
  const { store, queue } = parts;
  const calls = entries.filter(entry => entry.calls);
  if (appends.length + ops.length === 0) return [];
  if (calls.length === 0) return store.write([...appends, ...ops]);
  let written: number[] = [];
  await queue.insert(doc.workspaceId, async order => {
    // Thousands of children can have many megabytes of input, so other work gets turns in between.
    const children = await mapInSlices(calls, (entry, i) => childWrites(parts, state, doc, entry as Call, order + i));
    written = await store.write([...appends, ...children.flat(), ...ops]);
  });
  parts.queued(doc.id);
  return written;
}

/** Cancels the child executions whose steps were given up. If the run compensates, so do these children. */
export function cancelOrphans(parts: EngineParts, { orphans, undoing }: RunState, { workspaceId }: ExecutionDoc): void {
  for (const childId of orphans.splice(0)) {
    void parts
      .cancel(workspaceId, childId, undoing !== null)
      .catch((error: unknown) => parts.warn("An execution could not be cancelled.", error));
  }
}
