import type { Filter, Store } from "../../../adapters/store/port.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import type { ExecutionStatus, Trigger } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { listBranches } from "./list-branches.ts";
import { type RunLabelDoc, RunLabels } from "./labels.ts";
import { type ExecutionDoc, Executions } from "./model.ts";

/**
 * The most documents that are read for one page where a filter has no index, how many of them at a time, and of each query
 * at least.
 */
const MAX_SCANNED = 5_000;
const SCANNED_AT_A_TIME = 500;
const MIN_OF_BRANCH = 20;
/** The most queries of one page. With more, statuses and triggers are compared document by document. */
const MAX_BRANCHES = 300;

/** The place of the last execution of a page. */
type Place = Pick<ExecutionDoc, "createdAt" | "id">;

const cursorAt = ({ createdAt, id }: Place) => `${createdAt.getTime()}.${id}`;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
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

const newestFirst = (a: Place, b: Place) =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);

export interface RunFilter {
  workspaceId: string;
  /** The spaces to look in. */
  spaceIds: readonly string[];
  workflowId?: string | undefined;
  statuses: readonly ExecutionStatus[];
  trigger?: Trigger["type"] | undefined;
  parentId?: string | undefined;
  key?: string | undefined;
  labels?: Labels | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** What no index answers: which of these documents are wanted. Null where every document is. */
  wanted: ((docs: ExecutionDoc[]) => Promise<ExecutionDoc[]>) | null;
}

/** A part of a list: executions in order of time, newest first, with the place of the last one where there are more. */
interface Part {
  items: ExecutionDoc[];
  more?: Place | undefined;
}
type Read = (store: Store, place: Place | undefined, to: Date | undefined, size: number) => Promise<Part>;
type Query = Pick<RunFilter, "wanted"> & { branches: Read[] };

const NEWEST = { createdAt: -1, id: -1 } as const;

/** Reads the executions that match a filter, by an index that has them in order of time. */
const byFilter =
  (workspaceId: string, filter: Filter<ExecutionDoc>): Read =>
  async (store, place, to, size) => {
    const docs = store.tenant(Executions, workspaceId);
    const { items } = await docs.find({ ...filter, ...below(place, to) }, { sort: NEWEST, limit: size + 1 });
    return { items, ...(items.length > size && { more: items.at(-1) }) };
  };

/** Reads the executions with a label. An execution that was removed meanwhile is left out. */
const byLabel =
  (workspaceId: string, name: string, value: string): Read =>
  async (store, place, to, size) => {
    const bound = below(place && { ...place, id: `${place.id}:${name}` }, to) as Filter<RunLabelDoc>;
    const found = await store
      .tenant(RunLabels, workspaceId)
      .find({ name, value, ...bound }, { sort: NEWEST, limit: size + 1 });
    const ids = found.items.map(({ executionId }) => executionId);
    if (ids.length === 0) return { items: [] };
    const { items } = await store.tenant(Executions, workspaceId).find({ id: { $in: ids } }, { limit: ids.length });
    const last = ids.length > size ? found.items.at(-1) : undefined;
    return { items, ...(last && { more: { createdAt: last.createdAt, id: last.executionId } }) };
  };

/** The queries that together find the runs, each by an index in order of time, and what is left to compare. */
function queryOf(filter: RunFilter): Query {
  const { workspaceId, spaceIds, workflowId, statuses, trigger, parentId, key, labels = {}, wanted } = filter;
  const some = statuses.length > 0 ? statuses : [undefined];
  const compared = (left: (doc: ExecutionDoc) => boolean): RunFilter["wanted"] => {
    const wants = wanted ?? (docs => Promise.resolve(docs));
    return docs => wants(docs.filter(left));
  };
  const hasState = (doc: ExecutionDoc) =>
    (statuses.length === 0 || statuses.includes(doc.status)) && (!trigger || doc.trigger.type === trigger);
  const [label] = Object.entries(labels);
  if (parentId !== undefined || key !== undefined || label) {
    const isHere = (doc: ExecutionDoc) =>
      spaceIds.includes(doc.spaceId) &&
      (workflowId === undefined || doc.workflowId === workflowId) &&
      (parentId === undefined || doc.parentId === parentId) &&
      (key === undefined || doc.key === key) &&
      Object.entries(labels).every(([name, value]) => doc.labels?.[name] === value);
    const few = parentId !== undefined ? { parentId } : key !== undefined ? { key } : undefined;
    const branch = few ? byFilter(workspaceId, few) : byLabel(workspaceId, ...label!);
    return { branches: [branch], wanted: compared(doc => isHere(doc) && hasState(doc)) };
  }
  const read = (branch: Filter<ExecutionDoc>) => byFilter(workspaceId, branch);
  const branches = spaceIds.flatMap(spaceId =>
    some.flatMap(status => listBranches({ spaceId, workflowId, status, trigger })),
  );
  if (branches.length <= MAX_BRANCHES) return { branches: branches.map(read), wanted };
  return {
    branches: spaceIds.flatMap(spaceId => listBranches({ spaceId, workflowId })).map(read),
    wanted: compared(hasState),
  };
}

/**
 * A page of runs, newest first. Sorts by `createdAt` and not by id, although ids begin with a time: a caller of `launch`
 * chooses its own id, and when a clock is set back, older ids lie ahead of new ones. Where documents have to be compared
 * one by one, a page may have few or no runs and a next page all the same.
 */
export async function findRuns(
  { store }: WithStore,
  filter: RunFilter,
  after: Place | undefined,
  limit: number,
): Promise<{ items: ExecutionDoc[]; next: string | null }> {
  const { from, to } = filter;
  const { branches, wanted } = queryOf(filter);
  const size = wanted ? Math.max(MIN_OF_BRANCH, Math.ceil(SCANNED_AT_A_TIME / branches.length)) : limit;
  const items: ExecutionDoc[] = [];
  let place = after;
  for (let scanned = 0; scanned < MAX_SCANNED;) {
    const pages = await Promise.all(branches.map(read => read(store, place, to, size)));
    const found = pages.flatMap(page => page.items).sort(newestFirst);
    // What is older than the last document of a branch with more may have others of that branch before it.
    const [safe] = pages.flatMap(({ more }) => more ?? []).sort(newestFirst);
    // With a lower bound in the query, the embedded store would choose an index that has only the times.
    const looked = found.filter(doc => (!from || doc.createdAt >= from) && (!safe || newestFirst(doc, safe) <= 0));
    for (const doc of wanted ? await wanted(looked) : looked) {
      if (items.length === limit) return { items, next: cursorAt(items.at(-1)!) };
      items.push(doc);
    }
    place = safe ?? looked.at(-1);
    if (!place || !safe || (from && safe.createdAt < from)) return { items, next: null };
    scanned += found.length;
    // The embedded store reads at once, so other work gets a turn between two reads.
    await new Promise(setImmediate);
  }
  return { items, next: place ? cursorAt(place) : null };
}
