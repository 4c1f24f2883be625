import type { Service } from "moleculer";
import type { Page } from "../../adapters/store/port.ts";
import { call } from "../../contracts/call.ts";
import { errorCode } from "../../contracts/errors.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type ScheduleDoc, schedules } from "./model.ts";
import { dueAfter, dueBy, nextDueFields } from "./timing.ts";

export type SchedulesService = Service & WithStore;

const BATCH = 200;
/** How many runs are launched at the same time. More would queue ahead of the runs that users start by hand. */
const AT_ONCE = 16;
const LAUNCH_TIMEOUT_MS = 10_000;
/** How far the clocks of two nodes may differ before one node recomputes a time that the other computed. */
const SKEW_MS = 300_000;

async function each<T>(items: readonly T[], signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Starts the run for one due minute. Returns its id. Returns null if the workflow is in the trash or deleted, or if a
 * quota of the workspace is used up; the minute is then skipped.
 */
async function launch(service: SchedulesService, schedule: ScheduleDoc, dueAt: Date): Promise<string | null> {
  const { id, workspaceId, spaceId, workflowId, input = null, createdBy: startedBy } = schedule;
  try {
    const { execution } = await call(
      service.broker,
      "executions.launch",
      {
        id: derivedId(dueAt, `schedule ${id} ${dueAt.toISOString()}`),
        ...{ workspaceId, spaceId, workflowId, input, startedBy },
        version: "deployed",
        trigger: { type: "schedule", id },
        context: { dueAt: dueAt.toISOString() },
      },
      { timeout: LAUNCH_TIMEOUT_MS },
    );
    return execution.id;
  } catch (error) {
    const code = errorCode(error);
    if (code === "workflow_trashed" || code === "not_found" || code === "quota_exceeded") return null;
    // The settings of the workflow refuse the run. Another attempt for this minute would be refused again.
    if (code === "execution_key_taken" || code === "validation_failed") {
      service.logger.warn(`The schedule ${id} could not start a run: ${(error as Error).message}`);
      return null;
    }
    throw error;
  }
}

/**
 * Starts the run before it updates the schedule. If a node finds the schedule still due, it starts the same run, which
 * then already exists.
 */
async function fire(service: SchedulesService, schedule: ScheduleDoc, now: Date): Promise<void> {
  const { id, workspaceId, cronExpr, timezone = null, nextRunAt } = schedule;
  if (!nextRunAt) return;
  // Of several missed minutes, only the latest one is caught up.
  const dueMs = Math.max(nextRunAt.getTime(), dueBy(schedule, now.getTime()) ?? 0);
  const executionId = await launch(service, schedule, new Date(dueMs));
  const next = dueAfter(schedule, Math.max(now.getTime(), dueMs));
  await service.store.tenant(schedules, workspaceId).updateOne(
    { id, nextRunAt, cronExpr, timezone },
    {
      $set: {
        ...(next !== null && { nextRunAt: new Date(next) }),
        countedFrom: now,
        ...(executionId !== null && { lastRunAt: now, lastExecutionId: executionId }),
      },
    },
  );
}

/** Recomputes times that were computed while a clock was ahead. */
async function recount(service: SchedulesService, now: Date, signal: AbortSignal): Promise<void> {
  const ahead = { countedFrom: { $gt: new Date(now.getTime() + SKEW_MS) } };
  const { items } = await service.store
    .acrossTenants(schedules)
    .find(ahead, { sort: { countedFrom: 1 }, limit: BATCH });
  await each(items, signal, async schedule => {
    const { id, workspaceId, cronExpr, timezone = null, countedFrom = null } = schedule;
    const all = service.store.tenant(schedules, workspaceId);
    await all.updateOne({ id, cronExpr, timezone, countedFrom }, { $set: nextDueFields(schedule, now) });
  });
}

/**
 * Starts the schedules that are due by `now`, the longest due first. It may run on several nodes at the same time, be
 * interrupted anywhere, and meet clocks that jump. A due minute has one execution, because the execution's id is
 * derived from it. A failed start remains due for the next tick.
 */
export async function tick(service: SchedulesService, now: Date, signal: AbortSignal): Promise<void> {
  const warn = throttledWarn(service.logger);
  await recount(service, now, signal);
  const due = { nextRunAt: { $lte: now } };
  const all = service.store.acrossTenants(schedules);
  for (let after: string | null = null; !signal.aborted;) {
    const page: Page<ScheduleDoc> = await all.find(due, { sort: { nextRunAt: 1 }, limit: BATCH, after });
    await each(page.items, signal, schedule =>
      fire(service, schedule, now).catch((error: unknown) =>
        warn("A schedule could not start its run; the next tick tries again.", error),
      ),
    );
    after = page.next;
    if (!after) return;
  }
}
