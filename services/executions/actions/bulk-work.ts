import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { MAX_BULK_ERRORS, type BulkError } from "../../../contracts/entities/bulk-job.ts";
import { errorCode, ERRORS, notFound } from "../../../contracts/errors.ts";
import { derivedId } from "../../../service-kit/derived-id.ts";
import { markForNotice } from "../../../service-kit/outbox.ts";
import type { WithOutbox } from "../../../service-kit/outbox.mixin.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { startSweeper, type Sweeper } from "../../../service-kit/sweeper.ts";
import { cancelExecution } from "../engine/cancel-execution.ts";
import { type BulkJobDoc, BulkJobs, BulkRuns } from "../store/bulk-model.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { removeRun } from "../upkeep/remove-run.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { retryRun } from "./retry-run.ts";

/** How many runs of a job are worked on at the same time. Their outcomes are written together. */
const GROUP = 10;
/** How long a node works on one job before another job has its turn. */
const TURN_MS = 2_000;
/** When a node dies, another node takes over its job after this time. */
const LEASE_MS = 10_000;
const EVERY_MS = 5_000;
const JOBS_AT_A_TIME = 20;
/** After this many failed turns in a row, the runs that fail count as failed. */
const MAX_TRIES = 5;

type Node = Service & ExecutionsService & WithOutbox;

async function carryOut(service: ExecutionsService, job: BulkJobDoc, run: ExecutionDoc): Promise<void> {
  switch (job.action) {
    case "cancel":
      // An earlier turn that was interrupted has already cancelled it.
      return run.status === "cancelled"
        ? undefined
        : cancelExecution(service, run, { compensate: job.options.compensate });
    case "delete":
      return removeRun(service, run);
    case "retry": {
      const { fromStart = false, version = "original" } = job.options;
      // The id is the same in every turn, so a run is retried once however often the job is interrupted.
      const id = derivedId(job.createdAt, `bulk ${job.id} ${run.id}`);
      const { startedBy, startedByKey } = job;
      await retryRun(service, run, { id, startedBy, startedByKey, fromStart, version, once: true });
    }
  }
}

/**
 * Applies the action to one run. Returns why it was refused, or null.
 * @throws {Error} when a later turn may succeed
 */
async function outcomeOf(service: ExecutionsService, job: BulkJobDoc, executionId: string): Promise<BulkError | null> {
  try {
    const run = await service.store.tenant(Executions, job.workspaceId).get({ id: executionId, spaceId: job.spaceId });
    if (run) await carryOut(service, job, run);
    // An interrupted turn, or another user, has already deleted it.
    else if (job.action !== "delete") throw notFound("execution");
    return null;
  } catch (error) {
    const code = errorCode(error);
    if ((code === undefined || ERRORS[code].status >= 500) && job.tries < MAX_TRIES) throw error;
    const message = code === undefined ? ERRORS.internal_error.title : (error as Error).message;
    return { executionId, code: code ?? "internal_error", message };
  }
}

/** Works on the next runs of a job. Returns the updated job, or null when it has ended or another node holds it. */
async function workOn(service: ExecutionsService, job: BulkJobDoc, ids: readonly string[]): Promise<BulkJobDoc | null> {
  const place = job.done + job.failed;
  const group = ids.slice(place, place + GROUP);
  const outcomes = await Promise.all(group.map(id => outcomeOf(service, job, id)));
  const errors = outcomes.filter(outcome => outcome !== null);
  const now = new Date();
  const isDone = place + group.length >= ids.length;
  const { id, holder = "" } = job;
  const jobs = service.store.tenant(BulkJobs, job.workspaceId);
  const counted = {
    done: job.done + group.length - errors.length,
    failed: job.failed + errors.length,
    runErrors: [...job.runErrors, ...errors].slice(0, MAX_BULK_ERRORS),
  };
  const before = { id, done: job.done, failed: job.failed };
  const written = await jobs.updateOne(
    { ...before, holder, status: "running" },
    {
      $set: {
        ...counted,
        tries: 0,
        ...(isDone
          ? { status: "done" as const, finishedAt: now, ...markForNotice(now) }
          : { leaseUntil: new Date(now.getTime() + LEASE_MS) }),
      },
      ...(isDone && { $unset: { leaseUntil: 1, holder: 1 } }),
    },
  );
  // Runs that were in progress when the job was cancelled count too.
  return written ?? jobs.updateOne({ ...before, status: "cancelled" }, { $set: counted });
}

/** Works on a job for one turn, and releases it if it is not done. */
async function takeTurn(service: Node, due: BulkJobDoc, holder: string): Promise<void> {
  const jobs = service.store.tenant(BulkJobs, due.workspaceId);
  const leaseUntil = new Date(Date.now() + LEASE_MS);
  const { id } = due;
  let job: BulkJobDoc | null = await jobs.updateOne(
    { id, status: "running", leaseUntil: due.leaseUntil! },
    { $set: { leaseUntil, holder } },
  );
  if (!job) return;
  try {
    const runs = await service.store.tenant(BulkRuns, due.workspaceId).get({ id });
    await repeatWithPauses(TURN_MS, async () => {
      job = await workOn(service, job!, runs?.ids ?? []);
      return job?.status === "running";
    });
    if (job?.status === "running") await jobs.updateOne({ id, holder }, { $set: { leaseUntil: new Date() } });
    else service.outbox.soon();
  } catch (error) {
    service.logger.warn("A bulk job was interrupted; Weft tries again.", error);
    await jobs.updateOne({ id, holder }, { $inc: { tries: 1 }, $set: { leaseUntil: new Date(Date.now() + EVERY_MS) } });
  }
}

/** Works on the bulk jobs whose turn it is. Any number of nodes may do this at the same time. */
export function startBulkWork(service: Node): Sweeper {
  const holder = uuid();
  const work = async (): Promise<number | void> => {
    const due = { leaseUntil: { $lte: new Date() } };
    const all = service.store.acrossTenants(BulkJobs);
    const { items } = await all.find(due, { sort: { leaseUntil: 1 }, limit: JOBS_AT_A_TIME });
    for (const job of items) await takeTurn(service, job, holder);
    return items.length > 0 ? 0 : undefined;
  };
  return startSweeper(work, EVERY_MS, error => service.logger.warn("Bulk jobs could not be read.", error));
}
