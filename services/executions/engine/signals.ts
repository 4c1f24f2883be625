import { FINAL_EVENTS } from "../../../contracts/entities/execution.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { ChildOutcome } from "../../../core/run/child.ts";
import { NewerEntryError } from "../../../core/run/newer-entry.ts";
import { isFinal } from "../../../core/run/state.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { ExecutionJournal } from "../store/journal.ts";
import type { EngineParts } from "./parts.ts";

/** The outcome of a child execution that a step waits for; undefined when the child was never stored. */
export async function outcomeOf(
  { store }: EngineParts,
  workspaceId: string,
  childId: string,
): Promise<ChildOutcome | undefined> {
  const doc = await store.tenant(Executions, workspaceId).get({ id: childId });
  if (!doc) return undefined;
  const { status, suspension } = doc;
  if (status === "suspended") return { status, suspension };
  if (status === "failed") return { status, error: doc.error ?? null };
  if (!isFinal(status) || status === "cancelled") return { status } as ChildOutcome;
  const last = await new ExecutionJournal(store, workspaceId, childId).last();
  if (!last || !FINAL_EVENTS.has(last.event)) return { status: "gone" };
  return { status: "completed", output: "output" in last ? last.output : null };
}

/**
 * The inputs from the signals after `taken`.
 * @throws {NewerEntryError} when a signal has a kind that only newer workers know
 */
export async function inputsOfSignals(parts: EngineParts, doc: ExecutionDoc, taken: number): Promise<RunInput[]> {
  const inputs: RunInput[] = [];
  for (const signal of doc.inbox ?? []) {
    if (signal.seq <= taken) continue;
    if (signal.kind === "answer") {
      inputs.push({ kind: "answer", answer: signal });
      continue;
    }
    const { nodeId, path } = signal;
    if (signal.kind === "expiry") {
      inputs.push({ kind: "expiry", at: { nodeId, path }, attempt: signal.attempt });
      continue;
    }
    if (signal.kind === "event") {
      inputs.push({ kind: "event", event: signal });
      continue;
    }
    if (signal.kind !== "child") throw new NewerEntryError();
    const { childId } = signal;
    const outcome = (await outcomeOf(parts, doc.workspaceId, childId)) ?? { status: "gone" };
    inputs.push({ kind: "child", at: { nodeId, path }, childId, outcome });
  }
  return inputs;
}
