import type { Filter } from "../../../adapters/store/port.ts";
import type { RunSort } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import type { ExecutionDoc } from "./model.ts";
import type { TimeRange } from "./time-range.ts";

/** What executions are sorted by. Only those that have ended have a `finishedAt` and a `durationMs`. */
type SortField = "createdAt" | "finishedAt" | "durationMs";

/** The place of an execution in a list. */
export interface ListPosition {
  /** The value of the sort field; times in milliseconds. */
  at: number;
  id: string;
}

export const cursorAt = ({ at, id }: ListPosition) => `${at}.${id}`;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
export function positionOfCursor(cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, ms = "", id = ""] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (!ID_PATTERN.test(id)) throw new AppError("invalid_cursor");
  return { at: Number(ms), id };
}

/** A list of executions in order of one of their times, or of their duration. */
export interface RunOrder {
  /** True if the list contains only ended executions. */
  isOfEnded: boolean;
  sort: Partial<Record<SortField | "id", 1 | -1>>;
  placeIn: (doc: ExecutionDoc) => ListPosition;
  compare: (a: ListPosition, b: ListPosition) => number;
  /**
   * Matches the documents after `place`, from the bound of the range at the beginning of the list. The other bound is
   * left to `isOver`: with two bounds, the store may start its index scan at either.
   */
  beyond: (place: ListPosition | undefined, range: TimeRange) => Filter<ExecutionDoc>;
  /** Whether a place is after the end of the range. All documents after it are too. */
  isOver: (place: ListPosition, range: TimeRange) => boolean;
}

const smaller = (a: ListPosition, b: ListPosition) => a.at - b.at || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
const valueIn = (field: SortField, at: number) => (field === "durationMs" ? at : new Date(at));

const partsOf = (field: SortField) => ({
  isOfEnded: field !== "createdAt",
  placeIn: (doc: ExecutionDoc): ListPosition => ({ at: Number(doc[field]), id: doc.id }),
  /** All documents of the list. */
  whole: field === "createdAt" ? {} : { [field]: { $exists: true } },
});

function descending(field: SortField): RunOrder {
  const { whole, ...parts } = partsOf(field);
  return {
    ...parts,
    sort: { [field]: -1, id: -1 },
    compare: (a, b) => smaller(b, a),
    beyond(place, { to: end }) {
      // An execution that was created before a time may have ended after it.
      const to = parts.isOfEnded ? undefined : end;
      if (!place) return to ? { [field]: { $lt: to } } : whole;
      const at = valueIn(field, place.at);
      const bound = to && to <= at ? { $lt: to } : { $lte: at };
      return { [field]: bound, $or: [{ [field]: { $lt: at } }, { [field]: at, id: { $lt: place.id } }] };
    },
    // Executions that ended before a time were created before it.
    isOver: ({ at }, { from }) => field !== "durationMs" && from !== undefined && at < from.getTime(),
  };
}

function ascending(field: SortField): RunOrder {
  const { whole, ...parts } = partsOf(field);
  return {
    ...parts,
    sort: { [field]: 1, id: 1 },
    compare: smaller,
    beyond(place, { from: begin }) {
      const from = field === "durationMs" ? undefined : begin;
      if (!place) return from ? { [field]: { $gte: from } } : whole;
      const at = valueIn(field, place.at);
      const bound = { $gte: from && from > at ? from : at };
      return { [field]: bound, $or: [{ [field]: { $gt: at } }, { [field]: at, id: { $gt: place.id } }] };
    },
    isOver: ({ at }, { to }) => !parts.isOfEnded && to !== undefined && at >= to.getTime(),
  };
}

/** The orders of lists, by the names that they have in the API. */
export const RUN_ORDERS: Record<RunSort, RunOrder> = {
  "-createdAt": descending("createdAt"),
  createdAt: ascending("createdAt"),
  "-finishedAt": descending("finishedAt"),
  finishedAt: ascending("finishedAt"),
  "-durationMs": descending("durationMs"),
  durationMs: ascending("durationMs"),
};
export const NEWEST_FIRST = RUN_ORDERS["-createdAt"];
