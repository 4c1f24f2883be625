import type { ParamsOf } from "../../../contracts/actions.ts";
import { handle } from "../../../contracts/call.ts";
import type { ExecutionSummary } from "../../../contracts/entities/execution.ts";
import { asList, type CountedPage } from "../../../contracts/primitives.ts";
import { isFinal } from "../../../core/run/state.ts";
import { spacesOf } from "../../../service-kit/all-spaces.ts";
import { namesOf } from "../../../service-kit/names.ts";
import { countRuns, findRuns, type RunFilter } from "../store/find-runs.ts";
import { ENDED_STATUSES, type ExecutionDoc } from "../store/model.ts";
import { NEWEST_FIRST, positionOfCursor, RUN_ORDERS } from "../store/run-order.ts";
import { presentNamed } from "../store/present.ts";
import { timeRange } from "../store/time-range.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

type Asked = Omit<ParamsOf<"executions.listAll">, "spaceId" | "sort" | "count">;
type AskedList = Omit<ParamsOf<"executions.listAll">, "spaceId">;
interface Caller {
  call: unknown;
}

const tookMs = ({ startedAt, finishedAt }: ExecutionDoc): number =>
  startedAt ? (finishedAt ?? new Date()).getTime() - startedAt.getTime() : 0;

/** Returns a check for the filters that no index serves; null if the request has none of them. */
function wantedOf(ctx: Caller, asked: Asked): RunFilter["wanted"] {
  const { workspaceId, startedBy, byKey, q, error, minMs } = asked;
  if ([startedBy, byKey, q, error, minMs].every(one => one === undefined)) return null;
  const passes = (doc: ExecutionDoc) =>
    (startedBy === undefined || doc.startedBy === startedBy) &&
    (byKey === undefined || (doc.startedByKey !== undefined) === byKey) &&
    (error === undefined || doc.error?.code === error) &&
    (minMs === undefined || tookMs(doc) >= minMs);
  const text = q?.toLowerCase();
  return async docs => {
    const left = docs.filter(passes);
    if (text === undefined) return left;
    const names = await namesOf(ctx, workspaceId, { workflows: left.map(doc => doc.workflowId) });
    const textsOf = ({ error: failed, suspension, workflowId, key, labels, note }: ExecutionDoc) =>
      [
        key,
        note,
        ...Object.values(labels ?? {}),
        failed?.message,
        failed?.code,
        suspension?.prompt,
        names.workflow(workflowId),
      ]
        .join("\n")
        .toLowerCase();
    return left.filter(doc => doc.id.startsWith(text) || textsOf(doc).includes(text));
  };
}

/** The filter of a list. @throws {AppError} validation_failed */
export function runFilterOf(ctx: Caller, asked: Asked, spaceIds: readonly string[]): RunFilter {
  const { workspaceId, workflowId, trigger, parentId, key, label: labels } = asked;
  const statuses = [...new Set(asList(asked.status))];
  const range = timeRange(asked);
  const wanted = wantedOf(ctx, asked);
  return { workspaceId, spaceIds, workflowId, statuses, trigger, parentId, key, labels, ...range, wanted };
}

async function pageOf(
  service: ExecutionsService,
  ctx: Caller,
  asked: AskedList,
  spaceIds: readonly string[],
): Promise<CountedPage<ExecutionSummary>> {
  const { workspaceId, limit, sort, count } = asked;
  const after = positionOfCursor(asked.cursor);
  const order = RUN_ORDERS[sort];
  const filter = runFilterOf(ctx, asked, spaceIds);
  const { isOfEnded } = order;
  if (isOfEnded) filter.statuses = filter.statuses.length > 0 ? filter.statuses.filter(isFinal) : ENDED_STATUSES;
  // A run that has not ended has no end and no duration to sort by.
  if (isOfEnded && filter.statuses.length === 0)
    return { items: [], next: null, ...(count && { total: 0, totalIsMin: false }) };
  const { items, next } = await findRuns(service, { ...filter, order }, after, limit);
  // The order does not affect the count, and the indexes by creation serve more filters.
  const counted = count ? await countRuns(service, { ...filter, order: isOfEnded ? NEWEST_FIRST : order }) : {};
  const ids = { workflows: items.map(doc => doc.workflowId), users: items.map(doc => doc.startedBy) };
  const names = await namesOf(ctx, workspaceId, ids);
  return { items: items.map(doc => presentNamed(doc, names)), next, ...counted };
}

export const list = handle<"executions.list", ExecutionsService>("executions.list", function (ctx) {
  return pageOf(this, ctx, ctx.params, [ctx.params.spaceId]);
});

export const listAll = handle<"executions.listAll", ExecutionsService>("executions.listAll", async function (ctx) {
  return pageOf(this, ctx, ctx.params, await spacesOf(ctx, ctx.params));
});
