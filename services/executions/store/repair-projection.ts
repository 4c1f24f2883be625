import type { Store } from "../../../adapters/store/port.ts";
import { markForNotice } from "../../../service-kit/outbox.ts";
import { type ExecutionDoc, Executions, markFollowUp } from "./model.ts";
import { durationOf } from "./durations.ts";
import { ExecutionJournal } from "./journal.ts";

/**
 * Brings the projection up to date with a journal that has ended. The worker that wrote the end died before it updated
 * the projection.
 */
export async function repairProjection(store: Store, doc: ExecutionDoc): Promise<void> {
  const journal = new ExecutionJournal(store, doc.workspaceId, doc.id);
  const [state, last] = [await journal.fold(), await journal.last()];
  const finishedAt = last ? new Date(last.at) : new Date();
  const startedAt = state.startedAt ? new Date(state.startedAt) : null;
  await store.tenant(Executions, doc.workspaceId).updateOne(
    { id: doc.id },
    {
      $set: {
        status: state.status,
        ...{ startedAt, finishedAt, durationMs: durationOf(startedAt, finishedAt) },
        error: state.error,
        ...(state.compensation && { compensation: state.compensation }),
        ...markFollowUp(),
        ...(state.status === "failed" && markForNotice(new Date())),
      },
      $unset: { workerId: 1, queued: 1, wakeAt: 1, suspension: 1, asking: 1, inbox: 1, openKey: 1 },
    },
  );
}
