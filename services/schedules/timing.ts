import { AppError } from "../../contracts/errors.ts";
import { readCron } from "../../core/cron/occurrences.ts";
import { CronError } from "../../core/cron/parse.ts";
import { timeZone } from "../../core/cron/time-zone.ts";
import { latestBy, nextAfter } from "../../core/cron/zoned.ts";
import type { ScheduleDoc } from "./model.ts";

type Times = Pick<ScheduleDoc, "cronExpr" | "timezone">;

/** UTC is the zone of schedules without one, and needs no conversion. */
const zoneOf = ({ timezone = "UTC" }: Times) => (timezone === "UTC" ? null : timeZone(timezone));

/** The next due minute after an instant (ms since 1970), or null if there is none. */
export const dueAfter = (times: Times, ms: number): number | null =>
  nextAfter(readCron(times.cronExpr), ms, zoneOf(times));

/** The latest due minute at or before an instant (ms since 1970), or null if there is none. */
export const dueBy = (times: Times, ms: number): number | null => latestBy(readCron(times.cronExpr), ms, zoneOf(times));

const refused = (path: string, message: string) =>
  new AppError("validation_failed", { detail: message, errors: [{ path, message }] });

/**
 * When a schedule with this expression is next due after `now`.
 * @throws {AppError} validation_failed when the expression or the time zone is not valid
 */
export function nextDueFields(times: Times, now: Date): { nextRunAt: Date; countedFrom: Date } {
  const { timezone = "UTC" } = times;
  if (!timeZone(timezone)) throw refused("/timezone", `There is no time zone "${timezone}".`);
  try {
    const next = dueAfter(times, now.getTime());
    if (next === null) throw new CronError("The cron expression matches no date in the coming years.");
    return { nextRunAt: new Date(next), countedFrom: now };
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw refused("/cronExpr", error.message);
  }
}
