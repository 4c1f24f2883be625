import { errorCode, AppError } from "../../../contracts/errors.ts";
import { handle } from "../../../contracts/call.ts";
import { isFinal } from "../../../core/run/state.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import { cancelExecution } from "../engine/cancel-execution.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { BulkJobs, BulkRuns } from "../store/bulk-model.ts";
import { Signals, Waits } from "../store/signal-model.ts";
import { Answers, Executions, type ExecutionDoc } from "../store/model.ts";
import { isRemovable } from "./remove-run.ts";
import { REMOVE_BATCH, removeRuns } from "./remove-runs.ts";
import type { ExecutionsService } from "./service.ts";
import { DayStats, spaceRange, WorkflowStats } from "../stats/model.ts";

/** The time limit of one purge. If it is not enough, the caller starts another one, so purges never overlap. */
const TURN_MS = 20_000;
/** The sort orders of the indexes. */
const OLDEST = { createdAt: 1 } as const;
const OLDEST_BY_SPACE = { spaceId: -1, ...OLDEST } as const;

async function purgeSome(service: ExecutionsService, docs: readonly ExecutionDoc[], now: Date): Promise<void> {
  const over = docs.filter(doc => isRemovable(doc, now));
  // A run of another space may wait for one of these runs.
  for (const doc of over) if (doc.followUp) await service.followUps.finish(doc);
  for (let left = over; left.length > 0;) left = await removeRuns(service.store, left);
  for (const doc of docs) {
    if (isFinal(doc.status)) continue;
    await cancelExecution(service, doc).catch((error: unknown) => {
      if (errorCode(error) !== "execution_finished") throw error;
    });
  }
}

/**
 * Removes the executions of a workspace, or of one of its spaces, with their journals and statistics. Running
 * executions are cancelled, and a later purge removes them. Until then, the end in their journals stops a worker that
 * missed the hint of the cancellation.
 * @throws {AppError} unavailable when there are more executions than one turn can remove
 */
export const purge = handle<"executions.purge", ExecutionsService>(
  "executions.purge",
  async function (ctx) {
    const { workspaceId, spaceId } = ctx.params;
    const docs = this.store.tenant(Executions, workspaceId);
    const now = new Date();
    let after: string | null = null;
    const more = await repeatWithPauses(TURN_MS, async () => {
      const { items, next } = spaceId
        ? await docs.find({ spaceId }, { sort: OLDEST, limit: REMOVE_BATCH, after })
        : await docs.find({}, { sort: OLDEST_BY_SPACE, limit: REMOVE_BATCH, after });
      await purgeSome(this, items, now);
      after = next;
      return next !== null;
    });
    if (more) throw new AppError("unavailable", { detail: "The purge is not finished. It continues later." });
    const place = spaceId === undefined ? {} : { spaceId };
    await removeAll(this.store.tenant(Waits, workspaceId), place);
    await removeAll(this.store.tenant(BulkJobs, workspaceId), place);
    await removeAll(this.store.tenant(BulkRuns, workspaceId), place);
    if (spaceId === undefined) await removeAll(this.store.tenant(Signals, workspaceId), {});
    const stats = { id: spaceRange(workspaceId, spaceId) };
    await removeAll(this.store.tenant(DayStats, workspaceId), stats);
    await removeAll(this.store.tenant(WorkflowStats, workspaceId), stats);
    await removeAll(this.store.tenant(Answers, workspaceId), spaceId === undefined ? {} : { spaceId });
    return null;
  },
  { timeout: 60_000 },
);
