import type { Filter, Store } from "../../../adapters/store/port.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import type { ExecutionStatus, Trigger } from "../../../contracts/entities/execution.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { listBranches } from "./list-branches.ts";
import { type RunLabelDoc, RunLabels } from "./labels.ts";
import { ENDED_STATUSES, type ExecutionDoc, Executions } from "./model.ts";
import { cursorAt, NEWEST_FIRST, type ListPosition, type RunOrder } from "./run-order.ts";
import { type TimeRange, within } from "./time-range.ts";

/**
 * For filters without an index: the most documents that one page reads, how many at a time, and the fewest of each
 * query.
 */
const MAX_SCANNED = 5_000;
const SCANNED_AT_A_TIME = 500;
const MIN_OF_BRANCH = 20;
/** The most runs that a list counts, and the most that it examines for that. */
const MAX_COUNTED = 10_000;
/** The most queries of one page. With more, statuses and triggers are compared document by document. */
const MAX_BRANCHES = 300;

export interface RunFilter extends TimeRange {
  workspaceId: string;
  /** The spaces to look in. */
  spaceIds: readonly string[];
  workflowId?: string | undefined;
  statuses: readonly ExecutionStatus[];
  trigger?: Trigger["type"] | undefined;
  parentId?: string | undefined;
  key?: string | undefined;
  labels?: Labels | undefined;
  /** Default: newest first. */
  order?: RunOrder;
  /** Filters these documents by what no index covers. Null if every document matches. */
  wanted: ((docs: ExecutionDoc[]) => Promise<ExecutionDoc[]>) | null;
}

/** A part of a list: executions in its order, and the place of the last one if more follow. */
interface Part {
  items: ExecutionDoc[];
  more?: ListPosition | undefined;
}
interface Branch {
  /** The filter for the store; undefined if documents have to be examined. */
  filter?: Filter<ExecutionDoc>;
  read: (store: Store, place: ListPosition | undefined, size: number) => Promise<Part>;
}
type Query = Pick<RunFilter, "wanted"> & { branches: Branch[] };

/** Reads the executions that match a filter, by an index that sorts them by time. */
function byFilter({ workspaceId, order = NEWEST_FIRST, ...range }: RunFilter, filter: Filter<ExecutionDoc>): Branch {
  const { sort, beyond } = order;
  return {
    filter,
    async read(store, place, size) {
      const docs = store.tenant(Executions, workspaceId);
      const { items } = await docs.find({ ...filter, ...beyond(place, range) }, { sort, limit: size + 1 });
      return { items, ...(items.length > size && { more: order.placeIn(items.at(-1)!) }) };
    },
  };
}

/** Reads the executions with a label. An execution that was removed meanwhile is skipped. */
function byLabel({ workspaceId, order = NEWEST_FIRST, ...range }: RunFilter, name: string, value: string): Branch {
  const { sort, beyond } = order;
  return {
    async read(store, place, size) {
      const bound = beyond(place && { ...place, id: `${place.id}:${name}` }, range) as Filter<RunLabelDoc>;
      const labels = store.tenant(RunLabels, workspaceId);
      // Lists of ended runs do not search by label, so the order is by creation.
      const found = await labels.find({ name, value, ...bound }, { sort: sort, limit: size + 1 });
      const ids = found.items.map(({ executionId }) => executionId);
      if (ids.length === 0) return { items: [] };
      const { items } = await store.tenant(Executions, workspaceId).find({ id: { $in: ids } }, { limit: ids.length });
      const last = ids.length > size ? found.items.at(-1) : undefined;
      return { items, ...(last && { more: { at: last.createdAt.getTime(), id: last.executionId } }) };
    },
  };
}

/** The queries that together find the runs, each by an index in order of time, and the filters that remain. */
function queryOf(filter: RunFilter): Query {
  const { spaceIds, workflowId, statuses, trigger, parentId, key, labels = {}, from, to, wanted } = filter;
  const some = statuses.length > 0 ? statuses : [undefined];
  const compared = (left: (doc: ExecutionDoc) => boolean): RunFilter["wanted"] => {
    const wants = wanted ?? (docs => Promise.resolve(docs));
    return docs => wants(docs.filter(left));
  };
  const hasState = (doc: ExecutionDoc) =>
    (statuses.length === 0 || statuses.includes(doc.status)) && (!trigger || doc.trigger.type === trigger);
  const isHere = (doc: ExecutionDoc) =>
    spaceIds.includes(doc.spaceId) &&
    (workflowId === undefined || doc.workflowId === workflowId) &&
    (parentId === undefined || doc.parentId === parentId) &&
    (key === undefined || doc.key === key) &&
    Object.entries(labels).every(([name, value]) => doc.labels?.[name] === value);
  const [label] = Object.entries(labels);
  const isNamed = parentId !== undefined || key !== undefined || label !== undefined;
  if (filter.order?.isOfEnded) {
    const ended = statuses.length > 0 ? statuses : ENDED_STATUSES;
    const branches = spaceIds.flatMap(spaceId => ended.map(status => byFilter(filter, { spaceId, status })));
    const isWhole = !isNamed && workflowId === undefined && !trigger && !from && !to;
    const isAsked = (doc: ExecutionDoc) =>
      isHere(doc) && hasState(doc) && (!from || doc.createdAt >= from) && (!to || doc.createdAt < to);
    return { branches, wanted: isWhole ? wanted : compared(isAsked) };
  }
  if (isNamed) {
    const few = parentId !== undefined ? { parentId } : key !== undefined ? { key } : undefined;
    const branch = few ? byFilter(filter, few) : byLabel(filter, ...label!);
    return { branches: [branch], wanted: compared(doc => isHere(doc) && hasState(doc)) };
  }
  const read = (branch: Filter<ExecutionDoc>) => byFilter(filter, branch);
  const branches = spaceIds.flatMap(spaceId =>
    some.flatMap(status => listBranches({ spaceId, workflowId, status, trigger })),
  );
  if (branches.length <= MAX_BRANCHES) return { branches: branches.map(read), wanted };
  return {
    branches: spaceIds.flatMap(spaceId => listBranches({ spaceId, workflowId })).map(read),
    wanted: compared(hasState),
  };
}

/** Some executions of a list: the ones before `place` in its order. */
interface Batch {
  items: ExecutionDoc[];
  /** How many documents were read for it. */
  scanned: number;
  /** Undefined at the end of the list. */
  place: ListPosition | undefined;
}

/**
 * The executions that match a filter, in its order. Sorts by `createdAt` and not by id, although ids begin with a time.
 * A caller of `launch` chooses its own id, and ids made before a clock was set back sort after new ones.
 */
async function* batches(
  store: Store,
  filter: RunFilter,
  { branches, wanted }: Query,
  after: ListPosition | undefined,
  size: number,
): AsyncGenerator<Batch, void, undefined> {
  const { placeIn, compare, isOver } = filter.order ?? NEWEST_FIRST;
  for (let place = after; ;) {
    const pages = await Promise.all(branches.map(({ read }) => read(store, place, size)));
    const found = pages.flatMap(page => page.items.map(doc => ({ doc, at: placeIn(doc) })));
    found.sort((a, b) => compare(a.at, b.at));
    // If a branch has more documents, those after its last one here may sort before documents of other branches. So
    // only documents up to the first such place are safe to return.
    const [safe] = pages.flatMap(({ more }) => more ?? []).sort(compare);
    // With both bounds in the query, the embedded store would choose an index that contains only the times.
    const looked = found
      .filter(({ at }) => !isOver(at, filter) && (!safe || compare(at, safe) <= 0))
      .map(one => one.doc);
    const items = wanted ? await wanted(looked) : looked;
    place = safe && !isOver(safe, filter) ? safe : undefined;
    yield { items, scanned: found.length, place };
    if (!place) return;
    // The embedded store reads synchronously, so other work gets a turn between two reads.
    await new Promise(setImmediate);
  }
}

const sizeOf = ({ branches }: Query) => Math.max(MIN_OF_BRANCH, Math.ceil(SCANNED_AT_A_TIME / branches.length));

/**
 * A page of runs. If documents have to be compared one by one, a page may contain few or no runs although a next page
 * exists.
 */
export async function findRuns(
  { store }: WithStore,
  filter: RunFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<{ items: ExecutionDoc[]; next: string | null }> {
  const query = queryOf(filter);
  const { placeIn } = filter.order ?? NEWEST_FIRST;
  const items: ExecutionDoc[] = [];
  let scanned = 0;
  for await (const batch of batches(store, filter, query, after, query.wanted ? sizeOf(query) : limit)) {
    for (const doc of batch.items) {
      if (items.length === limit) return { items, next: cursorAt(placeIn(items.at(-1)!)) };
      items.push(doc);
    }
    scanned += batch.scanned;
    if (batch.place && scanned >= MAX_SCANNED) return { items, next: cursorAt(batch.place) };
  }
  return { items, next: null };
}

/**
 * Counts the runs that match a filter, up to `MAX_COUNTED`. If documents have to be compared one by one, it examines at
 * most as many.
 */
export async function countRuns(
  { store }: WithStore,
  filter: RunFilter,
): Promise<{ total: number; totalIsMin: boolean }> {
  const query = queryOf(filter);
  const { from, to, workspaceId } = filter;
  const inRange = from || to ? { createdAt: within(filter) } : {};
  let [total, scanned] = [0, 0];
  if (!query.wanted) {
    const docs = store.tenant(Executions, workspaceId);
    for (const { filter: branch } of query.branches) {
      // Counting one more than the limit shows whether there are more.
      total += await docs.count({ ...branch, ...inRange }, { limit: MAX_COUNTED + 1 - total });
      if (total > MAX_COUNTED) return { total: MAX_COUNTED, totalIsMin: true };
    }
    return { total, totalIsMin: false };
  }
  for await (const batch of batches(store, filter, query, undefined, sizeOf(query))) {
    total += batch.items.length;
    scanned += batch.scanned;
    if (total > MAX_COUNTED) return { total: MAX_COUNTED, totalIsMin: true };
    if (batch.place && scanned >= MAX_COUNTED) return { total, totalIsMin: true };
  }
  return { total, totalIsMin: false };
}
