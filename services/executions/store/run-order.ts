import type { Filter } from "../../../adapters/store/port.ts";
import type { RunSort } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import type { ExecutionDoc } from "./model.ts";
import type { TimeRange } from "./time-range.ts";

/** The times by which executions are sorted. Only those that have ended have a `finishedAt`. */
type SortTime = "createdAt" | "finishedAt";

/** The place of an execution in a list. */
export interface Place {
  at: Date;
  id: string;
}

export const cursorAt = ({ at, id }: Place) => `${at.getTime()}.${id}`;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
export function placeOfCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, ms = "", id = ""] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (!ID_PATTERN.test(id)) throw new AppError("invalid_cursor");
  return { at: new Date(Number(ms)), id };
}

/** A list of executions in order of one of their times. */
export interface RunOrder {
  time: SortTime;
  sort: Partial<Record<SortTime | "id", 1 | -1>>;
  placeIn: (doc: ExecutionDoc) => Place;
  compare: (a: Place, b: Place) => number;
  /**
   * Matches the documents after `place`, from the bound of the range at the beginning of the list. The other bound is
   * left to `isOver`: with two bounds, the store may start its index scan at either.
   */
  beyond: (place: Place | undefined, range: TimeRange) => Filter<ExecutionDoc>;
  /** Whether a place is after the end of the range. All documents after it are too. */
  isOver: (place: Place, range: TimeRange) => boolean;
}

const older = (a: Place, b: Place) => a.at.getTime() - b.at.getTime() || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);

function descending(time: SortTime): RunOrder {
  const isCreation = time === "createdAt";
  return {
    time,
    sort: { [time]: -1, id: -1 },
    placeIn: doc => ({ at: doc[time]!, id: doc.id }),
    compare: (a, b) => older(b, a),
    beyond(place, { to: end }) {
      // An execution that was created before a time may have ended after it.
      const to = isCreation ? end : undefined;
      if (!place) return to ? { [time]: { $lt: to } } : isCreation ? {} : { [time]: { $exists: true } };
      const { at, id } = place;
      const bound = to && to <= at ? { $lt: to } : { $lte: at };
      return { [time]: bound, $or: [{ [time]: { $lt: at } }, { [time]: at, id: { $lt: id } }] };
    },
    isOver: ({ at }, { from }) => from !== undefined && at < from,
  };
}

function ascending(time: SortTime): RunOrder {
  const isCreation = time === "createdAt";
  return {
    time,
    sort: { [time]: 1, id: 1 },
    placeIn: doc => ({ at: doc[time]!, id: doc.id }),
    compare: older,
    beyond(place, { from }) {
      if (!place) return from ? { [time]: { $gte: from } } : isCreation ? {} : { [time]: { $exists: true } };
      const { at, id } = place;
      const bound = { $gte: from && from > at ? from : at };
      return { [time]: bound, $or: [{ [time]: { $gt: at } }, { [time]: at, id: { $gt: id } }] };
    },
    isOver: ({ at }, { to }) => isCreation && to !== undefined && at >= to,
  };
}

/** The orders of lists, by the names that they have in the API. */
export const RUN_ORDERS: Record<RunSort, RunOrder> = {
  "-createdAt": descending("createdAt"),
  createdAt: ascending("createdAt"),
  "-finishedAt": descending("finishedAt"),
  finishedAt: ascending("finishedAt"),
};
export const NEWEST_FIRST = RUN_ORDERS["-createdAt"];
