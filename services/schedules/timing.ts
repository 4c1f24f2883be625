import { AppError } from "../../contracts/errors.ts";
import { nextAfter, readCron } from "../../core/cron/occurrences.ts";
import { CronError } from "../../core/cron/parse.ts";

/**
 * When a schedule of this expression is next due, counted from `now`.
 * @throws {AppError} validation_failed when the expression is not valid
 */
export function timing(cronExpr: string, now: Date): { nextRunAt: Date; countedFrom: Date } {
  try {
    const next = nextAfter(readCron(cronExpr), now.getTime());
    if (next === null) throw new CronError("The cron expression matches no date in the coming years.");
    return { nextRunAt: new Date(next), countedFrom: now };
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const { message } = error;
    throw new AppError("validation_failed", { detail: message, errors: [{ path: "/cronExpr", message }] });
  }
}
