import type { Store } from "../../../adapters/store/port.ts";
import { keyOf, type Address } from "../../../core/run/frame.ts";
import type { RunState } from "../../../core/run/state.ts";
import { lateQuestions } from "../../../core/run/waits.ts";
import { deliver } from "../deliver.ts";
import { Executions, type ExecutionDoc, type Signal } from "../model.ts";

/** Whether the inbox says already how this question ended: by an answer, or by its time. */
export function isSettled({ inbox = [] }: ExecutionDoc, at: Address, attempt: number): boolean {
  const settles = (signal: Signal) =>
    signal.kind !== "child" && keyOf(signal) === keyOf(at) && signal.attempt === attempt;
  return inbox.some(settles);
}

/**
 * Says in the inbox that the time of questions is over, which orders it with the answers: one that was taken before keeps
 * it from being over, and none is taken from then on. Gives the document with what came first.
 */
export async function expireQuestions(
  store: Store,
  doc: ExecutionDoc,
  state: RunState,
  now: string,
): Promise<ExecutionDoc> {
  const late = lateQuestions(state, now);
  if (late.length === 0) return doc;
  for (const { at, node } of late) {
    const { attempt } = node;
    await deliver(store, doc, found => (isSettled(found, at, attempt) ? null : { kind: "expiry", ...at, attempt }));
  }
  return (await store.tenant(Executions, doc.workspaceId).get({ id: doc.id })) ?? doc;
}
