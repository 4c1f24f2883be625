import type { ParamsOf } from "../../../contracts/actions.ts";
import { type ActionContext, handle, roleOf } from "../../../contracts/call.ts";
import { type BulkAction, MAX_BULK_RUNS } from "../../../contracts/entities/bulk-job.ts";
import { EXECUTION_STATUSES, type ExecutionStatus } from "../../../contracts/entities/execution.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import { MAX_PAGE } from "../../../contracts/primitives.ts";
import { includesRole } from "../../../core/roles.ts";
import { isFinal } from "../../../core/run/state.ts";
import { insertOnce } from "../../../service-kit/insert-once.ts";
import { newId } from "../../../service-kit/new-id.ts";
import { markForNotice } from "../../../service-kit/outbox.ts";
import type { WithOutbox } from "../../../service-kit/outbox.mixin.ts";
import { starterOf } from "../../../service-kit/starter-of.ts";
import { type BulkJobDoc, BulkJobs, BulkRuns, presentJob } from "../store/bulk-model.ts";
import { findRuns } from "../store/find-runs.ts";
import { positionOfCursor } from "../store/run-order.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { runFilterOf } from "./list-executions.ts";

/** The most jobs of a workspace that run at the same time. */
const MAX_RUNNING = 5;

/** The statuses of the runs that each action applies to. */
const STATUSES: Record<BulkAction, readonly ExecutionStatus[]> = {
  cancel: EXECUTION_STATUSES.filter(status => !isFinal(status)),
  retry: ["failed", "cancelled"],
  delete: EXECUTION_STATUSES.filter(isFinal),
};

type Context = ActionContext<"executions.bulk.start">;

const refused = (path: string, message: string) => new AppError("validation_failed", { errors: [{ path, message }] });

function check({ params, locals }: Context): void {
  const { action, ids, filter, options } = params;
  if ((ids === undefined) === (filter === undefined)) throw refused("/filter", "Give either `ids` or a `filter`.");
  const foreign = Object.keys(options).find(name => action !== (name === "compensate" ? "cancel" : "retry"));
  if (foreign !== undefined) throw refused(`/options/${foreign}`, `The action ${action} has no such option.`);
  if (action === "delete" && !includesRole(roleOf({ locals }), "admin"))
    throw new AppError("role_too_low", { detail: "To delete runs, you need the role admin." });
}

/** The runs that match a filter, newest first, and whether there are more than one job takes. */
async function foundBy(
  service: ExecutionsService,
  ctx: Context,
  given: NonNullable<ParamsOf<"executions.bulk.start">["filter"]>,
): Promise<{ ids: string[]; more: boolean }> {
  const { workspaceId, spaceId, action } = ctx.params;
  const asked = { status: [...STATUSES[action]], ...given, workspaceId, limit: MAX_PAGE };
  const filter = runFilterOf(ctx, asked, [spaceId]);
  const fits = (doc: ExecutionDoc) => action !== "retry" || doc.retriedBy === undefined;
  const wanted =
    action !== "retry"
      ? filter.wanted
      : async (docs: ExecutionDoc[]) => (await (filter.wanted ?? (all => Promise.resolve(all)))(docs)).filter(fits);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await findRuns(service, { ...filter, wanted }, positionOfCursor(cursor), MAX_PAGE);
    for (const { id } of page.items) {
      if (ids.length === MAX_BULK_RUNS) return { ids, more: true };
      ids.push(id);
    }
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return { ids, more: false };
}

/** Starts an action on many runs. It continues in the background, also on another node if this one dies. */
export const startBulk = handle<"executions.bulk.start", ExecutionsService>(
  "executions.bulk.start",
  async function (ctx) {
    check(ctx);
    const { workspaceId, spaceId, action, ids: given, filter, options } = ctx.params;
    const jobs = this.store.tenant(BulkJobs, workspaceId);
    const running = await jobs.count({ leaseUntil: { $gt: new Date(0) } }, { limit: MAX_RUNNING });
    if (running >= MAX_RUNNING)
      throw new AppError("limit_reached", { detail: `A workspace may have ${MAX_RUNNING} bulk jobs at a time.` });
    const found = given ? { ids: [...new Set(given)], more: false } : await foundBy(this, ctx, filter ?? {});
    const now = new Date();
    const id = newId(ctx);
    const isDone = found.ids.length === 0;
    const job: BulkJobDoc = {
      ...{ id, workspaceId, spaceId, action, options, total: found.ids.length, more: found.more },
      ...{ done: 0, failed: 0, runErrors: [], tries: 0, ...starterOf(ctx), createdAt: now },
      // The response already says that nothing was found, so no notification is needed.
      ...(isDone ? { status: "done" as const, finishedAt: now } : { status: "running" as const, leaseUntil: now }),
    };
    // The runs are written first. So even where the two writes do not commit together, no job exists without its runs.
    const runs = { id, workspaceId, spaceId, ids: found.ids, createdAt: now };
    const writes = [this.store.tenant(BulkRuns, workspaceId).ops.insert(runs), jobs.ops.insert(job)];
    const former = await insertOnce(
      () => this.store.write(writes),
      () => jobs.get({ id }),
    );
    this.bulk.soon();
    return presentJob(former ?? job);
  },
  { timeout: 60_000 },
);

async function jobAt({ store }: ExecutionsService, { workspaceId, spaceId, id }: ParamsOf<"executions.bulk.get">) {
  const job = await store.tenant(BulkJobs, workspaceId).get({ id, spaceId });
  if (!job) throw notFound("bulk job");
  return job;
}

export const getBulk = handle<"executions.bulk.get", ExecutionsService>("executions.bulk.get", async function (ctx) {
  return presentJob(await jobAt(this, ctx.params));
});

/** Ends an unfinished job. The job still completes the runs that it is working on at the moment. */
export const cancelBulk = handle<"executions.bulk.cancel", ExecutionsService & WithOutbox>(
  "executions.bulk.cancel",
  async function (ctx) {
    const { id, workspaceId } = await jobAt(this, ctx.params);
    const now = new Date();
    await this.store
      .tenant(BulkJobs, workspaceId)
      .updateOne(
        { id, status: "running" },
        { $set: { status: "cancelled", finishedAt: now, ...markForNotice(now) }, $unset: { leaseUntil: 1, holder: 1 } },
      );
    this.outbox.soon();
    return null;
  },
);
