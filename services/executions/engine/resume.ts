import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import type { RunInput, KeptEntry } from "../../../core/run/advance.ts";
import { addressIn } from "../../../core/run/frame.ts";
import { keptEntries } from "../../../core/run/kept-entries.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { dueSteps } from "../../../core/run/waits.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { childWrites, type Call } from "./child-writes.ts";
import type { WorkflowCache, RunnableWorkflow } from "./workflow-cache.ts";
import { ExecutionJournal } from "../store/journal.ts";
import type { EngineParts } from "./parts.ts";
import { headOrder } from "../store/queue-order.ts";
import { deadlinePassed } from "./deadline.ts";
import { outcomeOf, inputsOfSignals } from "./signals.ts";

/** The entries that a retry takes over from the former run, if that run still exists. */
export async function keptFrom(
  parts: Pick<EngineParts, "store">,
  definitions: WorkflowCache,
  { workspaceId }: ExecutionDoc,
  { retryOf, retryFrom }: Pick<RunState, "retryOf" | "retryFrom">,
  graph: WorkflowGraph | undefined,
): Promise<KeptEntry[]> {
  const docs = parts.store.tenant(Executions, workspaceId);
  for (let [id, from] = [retryOf, retryFrom]; id && graph;) {
    const former = await docs.get({ id });
    if (!former) return [];
    const before = await new ExecutionJournal(parts.store, workspaceId, id).fold();
    if (before.startedAt !== null) {
      const { parsed } = await definitions.get(workspaceId, former.workflowId, former.workflowVersion);
      return parsed.graph ? keptEntries(parsed.graph, graph, before, from ?? null) : [];
    }
    // A retry that ended before it began has kept nothing. The run before it is used instead.
    [id, from] = [before.retryOf, from ?? before.retryFrom];
  }
  return [];
}

/** Stores the child execution that a step waits for, when the parent's worker died before it stored the child. */
async function storeChild(parts: EngineParts, doc: ExecutionDoc, state: RunState, call: Call): Promise<void> {
  const order = (await headOrder(parts.store)) ?? 0;
  for (const write of childWrites(parts, state, doc, call, order)) {
    await parts.store.write([write]).catch((error: unknown) => {
      if (!isUniqueConflict(error)) throw error;
    });
  }
  parts.queued(doc.id);
}

/**
 * Whether a missing execution was stored before. In that case its signal is in its parent's inbox, because a purge
 * writes that signal before it removes the execution. It may do both after the parent was claimed, so the inbox is read
 * again.
 */
async function hasBeenStored({ store }: EngineParts, doc: ExecutionDoc, childId: string): Promise<boolean> {
  const now = await store.tenant(Executions, doc.workspaceId).get({ id: doc.id });
  const signals = [...(doc.inbox ?? []), ...(now?.inbox ?? [])];
  return signals.some(signal => signal.kind === "child" && signal.childId === childId);
}

/**
 * The outcomes of the child executions that steps of this run wait for. A child that was never stored is stored now.
 */
async function childrenOf(parts: EngineParts, doc: ExecutionDoc, state: RunState): Promise<RunInput[]> {
  const inputs: RunInput[] = [];
  for (const { frame, nodeId, node } of [...state.waiting.values()]) {
    if (node.waitsFor !== "child" || !node.child) continue;
    const at = addressIn(frame, nodeId);
    const childId = node.child.id;
    const outcome = await outcomeOf(parts, doc.workspaceId, childId);
    if (outcome) inputs.push({ kind: "child", at, childId, outcome });
    else if (await hasBeenStored(parts, doc, childId))
      inputs.push({ kind: "child", at, childId, outcome: { status: "gone" } });
    else await storeChild(parts, doc, state, { ...at, child: node.child });
  }
  return inputs;
}

/** Whether the parent of this run has ended, so that its result is no longer needed. */
async function isOrphan({ store }: EngineParts, { workspaceId, parentId }: ExecutionDoc): Promise<boolean> {
  if (parentId === undefined) return false;
  const parent = await store.tenant(Executions, workspaceId).get({ id: parentId });
  return !parent || isFinal(parent.status);
}

/** The inputs with which a claimed execution goes on, from its journal, its inbox and the clock. */
export async function inputsOnClaim(
  parts: EngineParts,
  definitions: WorkflowCache,
  doc: ExecutionDoc,
  state: RunState,
  { parsed: { graph } }: RunnableWorkflow,
): Promise<RunInput[]> {
  if (isFinal(state.status)) return [];
  if (state.startedAt === null) {
    if (await isOrphan(parts, doc)) {
      const message = "The parent run has ended.";
      return [{ kind: "cancel", error: { code: "parent_ended", message } }];
    }
    return [{ kind: "begin", kept: await keptFrom(parts, definitions, doc, state, graph) }];
  }
  const inputs: RunInput[] = [];
  if (state.status === "running") inputs.push({ kind: "takeover", lost: doc.lost === true });
  const now = new Date().toISOString();
  const late = graph && deadlinePassed(graph, state, now);
  inputs.push(...(await inputsOfSignals(parts, doc, 0)), ...(await childrenOf(parts, doc, state)));
  inputs.push(...dueSteps(state, now).map(at => ({ kind: "due" as const, at })));
  return late ? [late] : inputs;
}
