import { AppError } from "../../contracts/errors.ts";

export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Times as callers gave them; `from` counts, `to` does not. Throws validation_failed where they are the wrong way round. */
export function timeRange(given: { from?: string | undefined; to?: string | undefined }): TimeRange {
  const from = given.from === undefined ? undefined : new Date(given.from);
  const to = given.to === undefined ? undefined : new Date(given.to);
  if (from && to && from > to) refuseRange("is after `to`");
  return { from, to };
}

export function refuseRange(message: string): never {
  throw new AppError("validation_failed", { errors: [{ path: "from", message }] });
}

/** The filter of a range; nothing where it has no end at either side. */
export const within = ({ from, to }: TimeRange) => ({ ...(from && { $gte: from }), ...(to && { $lt: to }) });
