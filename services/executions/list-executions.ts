import type { Filter, Operators } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { listBranches } from "./list-branches.ts";
import { Executions, type ExecutionDoc } from "./model.ts";
import { presentSummary } from "./present.ts";
import type { ExecutionsService } from "./service.ts";
import { timeRange, within, type TimeRange } from "./time-range.ts";

/** What a page ended with. */
type Place = Pick<ExecutionDoc, "createdAt" | "id">;

const cursorAt = ({ createdAt, id }: Place) => `${createdAt.getTime()}.${id}`;

/** Throws invalid_cursor. */
function placeOf(cursor: string): Place {
  const [, ms = "", id = ""] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (!ID_PATTERN.test(id)) throw new AppError("invalid_cursor");
  return { createdAt: new Date(Number(ms)), id };
}

function behind(place: Place | undefined, range: TimeRange): Filter<ExecutionDoc> {
  const bounds: Operators<Date> = within(range);
  if (!place) return Object.keys(bounds).length > 0 ? { createdAt: bounds } : {};
  const { createdAt, id } = place;
  // One upper bound only, the lower of the two: an index starts at whichever it likes.
  if (!range.to || createdAt < range.to) {
    delete bounds.$lt;
    bounds.$lte = createdAt;
  }
  return { createdAt: bounds, $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
}

const newestFirst = (a: Place, b: Place) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

/**
 * By `createdAt` and not by the ids, although these begin with a time: a caller of `launch` chooses an id, and a clock that
 * is set back leaves ids ahead of it.
 */
export const list = handle<"executions.list", ExecutionsService>("executions.list", async function (ctx) {
  const { workspaceId, limit, cursor, from, to, ...asked } = ctx.params;
  const filter = behind(cursor === undefined ? undefined : placeOf(cursor), timeRange({ from, to }));
  const docs = this.store.tenant(Executions, workspaceId);
  const pages = await Promise.all(
    listBranches(asked).map(branch => docs.find({ ...branch, ...filter }, { sort: { createdAt: -1, id: -1 }, limit })),
  );
  const found = pages.flatMap(page => page.items).sort(newestFirst);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit || pages.some(page => page.next !== null);
  return { items: items.map(presentSummary), next: more && last ? cursorAt(last) : null };
});
