import { AppError } from "../../../contracts/errors.ts";

export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Times must be between 1970 and the year 9999, where the counting of days ends. */
const FIRST = 0;
const LAST = Date.UTC(9999, 11, 30);

const timeOf = (text: string | undefined) =>
  text === undefined ? undefined : new Date(Math.min(Math.max(Date.parse(text), FIRST), LAST));

/**
 * The range that a caller gave: `from` is included, `to` is not.
 * @throws {AppError} validation_failed when `from` is after `to`
 */
export function timeRange(given: { from?: string | undefined; to?: string | undefined }): TimeRange {
  const [from, to] = [timeOf(given.from), timeOf(given.to)];
  if (from && to && from > to) refuseRange("Must not be after `to`");
  return { from, to };
}

export function refuseRange(message: string): never {
  throw new AppError("validation_failed", { errors: [{ path: "/from", message }] });
}

/** The filter of a range; empty if the range has no bounds. */
export const within = ({ from, to }: TimeRange) => ({ ...(from && { $gte: from }), ...(to && { $lt: to }) });
