import { AppError } from "../../contracts/errors.ts";

export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Nothing was before, and what days are counted by ends with the year 9999. */
const FIRST = 0;
const LAST = Date.UTC(9999, 11, 30);

const timeOf = (text: string | undefined) =>
  text === undefined ? undefined : new Date(Math.min(Math.max(Date.parse(text), FIRST), LAST));

/** Times as callers gave them; `from` counts, `to` does not. Throws validation_failed where they are the wrong way round. */
export function timeRange(given: { from?: string | undefined; to?: string | undefined }): TimeRange {
  const [from, to] = [timeOf(given.from), timeOf(given.to)];
  if (from && to && from > to) refuseRange("Must not be after `to`");
  return { from, to };
}

export function refuseRange(message: string): never {
  throw new AppError("validation_failed", { errors: [{ path: "/from", message }] });
}

/** The filter of a range; nothing where it has no end at either side. */
export const within = ({ from, to }: TimeRange) => ({ ...(from && { $gte: from }), ...(to && { $lt: to }) });
