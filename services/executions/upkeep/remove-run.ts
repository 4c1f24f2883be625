import { AppError } from "../../../contracts/errors.ts";
import { isFinal } from "../../../core/run/state.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { removeRuns } from "./remove-runs.ts";
import type { ExecutionsService } from "./service.ts";

/**
 * After this time, a worker has noticed that its execution was cancelled: by the hint, or at its next append if the
 * hint was lost.
 */
const NOTICED_MS = 30_000;

/** Whether no worker can be running this execution any more. */
export function isRemovable({ status, finishedAt }: ExecutionDoc, now: Date): boolean {
  if (status !== "cancelled") return isFinal(status);
  return (finishedAt?.getTime() ?? 0) <= now.getTime() - NOTICED_MS;
}

const notYet = (detail: string) => new AppError("execution_not_removable", { detail });

/**
 * Removes a finished run with its log, its answers and its labels. The statistics keep it.
 * @throws {AppError} execution_not_removable while something still needs the run
 */
export async function removeRun(service: ExecutionsService, { id, workspaceId }: ExecutionDoc): Promise<void> {
  const { store } = service;
  const docs = store.tenant(Executions, workspaceId);
  let doc = await docs.get({ id });
  if (!doc) return;
  if (!isFinal(doc.status)) throw notYet("The run has not ended. Cancel it first, or wait for its end.");
  if (!isRemovable(doc, new Date())) throw notYet("The run was cancelled a moment ago. Try again in half a minute.");
  if (doc.followUp) await service.followUps.finish(doc);
  if (!doc.counted) {
    await service.counting.run();
    doc = (await docs.get({ id })) ?? doc;
    if (!doc.counted) throw notYet("The statistics do not count the run yet. Try again.");
  }
  const parent = doc.parentId === undefined ? null : await docs.get({ id: doc.parentId });
  if (parent && !isFinal(parent.status)) throw notYet("Another run waits for this one.");
  for (let left = [doc]; left.length > 0;) left = await removeRuns(store, left);
  service.watch.news.execution(workspaceId, id);
}
