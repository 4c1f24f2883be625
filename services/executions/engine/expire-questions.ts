import type { Store } from "../../../adapters/store/port.ts";
import type { RunState } from "../../../core/run/state.ts";
import { expiredWaits } from "../../../core/run/waits.ts";
import { deliver, isSettled } from "../store/deliver.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";

/**
 * Puts an expiry into the inbox for each question, and each wait for a signal, whose time is over. The inbox orders answers and expiries: an answer
 * that came first prevents the expiry, and after an expiry no answer is accepted. Returns the document with its current
 * inbox.
 */
export async function expireQuestions(
  store: Store,
  doc: ExecutionDoc,
  state: RunState,
  now: string,
): Promise<ExecutionDoc> {
  const late = expiredWaits(state, now);
  if (late.length === 0) return doc;
  for (const { at, node } of late) {
    const { attempt } = node;
    await deliver(store, doc, found => (isSettled(found, at, attempt) ? null : { kind: "expiry", ...at, attempt }));
  }
  return (await store.tenant(Executions, doc.workspaceId).get({ id: doc.id })) ?? doc;
}
