import type { Filter } from "../../../adapters/store/port.ts";
import { handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { listBranches } from "../store/list-branches.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { presentSummary } from "../store/present.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { timeRange } from "../store/time-range.ts";

/** The place of the last execution of a page. */
type Place = Pick<ExecutionDoc, "createdAt" | "id">;

const cursorAt = ({ createdAt, id }: Place) => `${createdAt.getTime()}.${id}`;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
function placeOf(cursor: string): Place {
  const [, ms = "", id = ""] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (!ID_PATTERN.test(id)) throw new AppError("invalid_cursor");
  return { createdAt: new Date(Number(ms)), id };
}

/**
 * Matches what comes behind `place` and before `to`. It has a single upper bound, because of two bounds the store may
 * start its index scan at either.
 */
function below(place: Place | undefined, to: Date | undefined): Filter<ExecutionDoc> {
  if (!place) return to ? { createdAt: { $lt: to } } : {};
  const { createdAt, id } = place;
  const bound = to && to <= createdAt ? { $lt: to } : { $lte: createdAt };
  return { createdAt: bound, $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
}

const newestFirst = (a: Place, b: Place) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

/**
 * Sorts by `createdAt` and not by id, although ids begin with a time. A caller of `launch` chooses its own id, and when
 * a clock is set back, older ids lie ahead of new ones.
 */
export const list = handle<"executions.list", ExecutionsService>("executions.list", async function (ctx) {
  const { workspaceId, limit, cursor, from, to, ...asked } = ctx.params;
  const range = timeRange({ from, to });
  const filter = below(cursor === undefined ? undefined : placeOf(cursor), range.to);
  const docs = this.store.tenant(Executions, workspaceId);
  const pages = await Promise.all(
    listBranches(asked).map(branch =>
      docs.find({ ...branch, ...filter }, { sort: { createdAt: -1, id: -1 }, limit: limit + 1 }),
    ),
  );
  const found = pages.flatMap(page => page.items).sort(newestFirst);
  // With a lower bound in the query, the embedded store would choose an index that has only the times.
  const inRange = range.from ? found.filter(({ createdAt }) => createdAt >= range.from!) : found;
  const items = inRange.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(presentSummary), next: last && inRange.length > limit ? cursorAt(last) : null };
});
