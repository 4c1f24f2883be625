import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import { hint } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { cancelsUndoing } from "../../../core/run/cancel.ts";
import { isFinal } from "../../../core/run/state.ts";
import type { JournalEntry, StepEntry } from "../../../core/run/entry.ts";
import { isEnd } from "../store/journal.ts";
import { repairProjection } from "../store/repair-projection.ts";
import { removeWaits } from "../store/waits.ts";
import { durationOf } from "../store/durations.ts";
import { Executions, UNFINISHED_STATUSES, markFollowUp, type ExecutionDoc } from "../store/model.ts";
import { finishedRuns } from "./observe-runs.ts";
import { type ExecutionAddress, getExecution, journalOf } from "../store/read-execution.ts";
import type { EngineService } from "./service.ts";
import { readRun, undoExecution } from "./undo-execution.ts";

/** A run that appends without pause may win the race this often in a row, but hardly more often. */
const MAX_TRIES = 50;

export interface Cancel {
  cancelId?: string | undefined;
  /** The execution compensates its completed steps before it ends. */
  compensate?: boolean | undefined;
}

/**
 * Ends an execution with an entry in its journal, at once or after its compensations. The worker that runs the
 * execution meets this entry at its next append and stops. The entry carries `cancelId`: of several cancels, the one
 * that the entry names has succeeded. Where the writes do not commit together, a follow-up may finish a cancel that has
 * begun and write its entry. That cancel has then succeeded.
 * @throws {AppError} not_found, execution_finished, or conflict when the execution changes too often
 */
export async function cancelExecution(
  service: EngineService,
  address: ExecutionAddress,
  { cancelId = uuid(), compensate = false }: Cancel = {},
): Promise<void> {
  const { store } = service;
  const journal = journalOf(service, address);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const doc = await getExecution(service, address);
    const append = await journal.lastAppend();
    const last = append?.entries.at(-1) ?? null;
    if (isEnd(last) && !isFinal(doc.status)) await repairProjection(store, doc);
    if (isEnd(last) && append?.cancelId === cancelId) return;
    if (isFinal(doc.status) || isEnd(last)) throw new AppError("execution_finished");
    try {
      if (compensate && (await undoExecution(service, doc, cancelId))) return;
      return await endNow(service, doc, last, cancelId);
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw new AppError("conflict", { detail: "The run changes too often to be cancelled now. Try again." });
}

/** The last entry of a cancelled execution. Running compensations are cut off. */
async function endOf(service: EngineService, doc: ExecutionDoc, last: JournalEntry | null): Promise<StepEntry> {
  const now = new Date();
  if (doc.compensation) {
    const { graph, state } = await readRun(service, doc);
    if (state.undoing) return cancelsUndoing(graph, state, now);
  }
  return { seq: (last?.seq ?? -1) + 1, event: "execution.cancelled", at: now.toISOString() };
}

/** @throws {UniqueConflictError} when the execution has moved on since `last` */
async function endNow(
  service: EngineService,
  doc: ExecutionDoc,
  last: JournalEntry | null,
  cancelId: string,
): Promise<void> {
  const { store, broker, engine } = service;
  const entry = await endOf(service, doc, last);
  const finishedAt = new Date(entry.at);
  const { ops } = store.tenant(Executions, doc.workspaceId);
  // Where the writes do not commit together, the follow-ups find this mark and finish the cancel.
  const intend = ops.updateOne(
    { id: doc.id, status: { $in: UNFINISHED_STATUSES } },
    { $set: { cancelling: true, cancelId, ...markFollowUp() } },
  );
  const { compensation } = entry;
  const update = ops.updateOne(
    { id: doc.id },
    {
      $set: {
        ...{ status: "cancelled", finishedAt, durationMs: durationOf(doc.startedAt, finishedAt) },
        ...(compensation && { compensation }),
        ...markFollowUp(),
      },
      $unset: {
        ...{ cancelling: 1, undoes: 1, queued: 1, workerId: 1, wakeAt: 1 },
        ...{ suspension: 1, asking: 1, inbox: 1, openKey: 1 },
      },
    },
  );
  await store.write([intend, journalOf(service, doc).cancels(entry, cancelId), update, removeWaits(store, doc)]);
  finishedRuns("cancelled").add();
  engine.abort(doc.id);
  service.watch.announce(doc.id, entry.seq);
  service.watch.news.execution(doc.workspaceId, doc.id, [doc.asking ?? 0, 0]);
  hint(broker, "all", "execution.cancelled", { executionId: doc.id });
  service.followUps.soon(doc);
}
