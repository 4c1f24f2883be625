import type { Filter } from "../../../adapters/store/port.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import type { ExecutionDoc } from "./model.ts";

/** The place of an execution in a list. */
export type Place = Pick<ExecutionDoc, "createdAt" | "id">;

export const cursorAt = ({ createdAt, id }: Place) => `${createdAt.getTime()}.${id}`;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, ms = "", id = ""] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (!ID_PATTERN.test(id)) throw new AppError("invalid_cursor");
  return { createdAt: new Date(Number(ms)), id };
}

export interface Range {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A list of executions in order of time. */
export interface RunOrder {
  sort: { createdAt: 1 | -1; id: 1 | -1 };
  compare: (a: Place, b: Place) => number;
  /**
   * Matches what comes behind `place` and within the range at the beginning of the list. It has a single bound on the
   * side where the list begins, because of two bounds the store may start its index scan at either.
   */
  beyond: (place: Place | undefined, range: Range) => Filter<ExecutionDoc>;
  /** Whether a place is behind the end of the range, so that nothing behind it is wanted. */
  isOver: (place: Place, range: Range) => boolean;
}

const older = (a: Place, b: Place) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);

export const NEWEST_FIRST: RunOrder = {
  sort: { createdAt: -1, id: -1 },
  compare: (a, b) => older(b, a),
  beyond(place, { to }) {
    if (!place) return to ? { createdAt: { $lt: to } } : {};
    const { createdAt, id } = place;
    const bound = to && to <= createdAt ? { $lt: to } : { $lte: createdAt };
    return { createdAt: bound, $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
  },
  isOver: ({ createdAt }, { from }) => from !== undefined && createdAt < from,
};

export const OLDEST_FIRST: RunOrder = {
  sort: { createdAt: 1, id: 1 },
  compare: older,
  beyond(place, { from }) {
    if (!place) return from ? { createdAt: { $gte: from } } : {};
    const { createdAt, id } = place;
    const bound = { $gte: from && from > createdAt ? from : createdAt };
    return { createdAt: bound, $or: [{ createdAt: { $gt: createdAt } }, { createdAt, id: { $gt: id } }] };
  },
  isOver: ({ createdAt }, { to }) => to !== undefined && createdAt >= to,
};
