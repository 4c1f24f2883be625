import type { Filter } from "../../../adapters/store/port.ts";
import type { ExecutionStatus, Trigger } from "../../../contracts/entities/execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { listBranches } from "./list-branches.ts";
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
  from?: Date | undefined;
  to?: Date | undefined;
  /** What no index answers: which of these documents are wanted. Null where every document is. */
  wanted: ((docs: ExecutionDoc[]) => Promise<ExecutionDoc[]>) | null;
}

type Query = Pick<RunFilter, "wanted"> & { branches: Filter<ExecutionDoc>[] };

/** The queries that together find the runs, each by an index in order of time, and what is left to compare. */
function queryOf({ spaceIds, workflowId, statuses, trigger, parentId, wanted }: RunFilter): Query {
  const some = statuses.length > 0 ? statuses : [undefined];
  const compared = (left: (doc: ExecutionDoc) => boolean): RunFilter["wanted"] => {
    const wants = wanted ?? (docs => Promise.resolve(docs));
    return docs => wants(docs.filter(left));
  };
  const hasState = (doc: ExecutionDoc) =>
    (statuses.length === 0 || statuses.includes(doc.status)) && (!trigger || doc.trigger.type === trigger);
  if (parentId !== undefined) {
    const isHere = ({ spaceId, workflowId: id }: ExecutionDoc) =>
      spaceIds.includes(spaceId) && (workflowId === undefined || id === workflowId);
    return { branches: [{ parentId }], wanted: compared(doc => isHere(doc) && hasState(doc)) };
  }
  const branches = spaceIds.flatMap(spaceId =>
    some.flatMap(status => listBranches({ spaceId, workflowId, status, trigger })),
  );
  if (branches.length <= MAX_BRANCHES) return { branches, wanted };
  return {
    branches: spaceIds.flatMap(spaceId => listBranches({ spaceId, workflowId })),
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
  const docs = store.tenant(Executions, filter.workspaceId);
  const size = wanted ? Math.max(MIN_OF_BRANCH, Math.ceil(SCANNED_AT_A_TIME / branches.length)) : limit;
  const items: ExecutionDoc[] = [];
  let place = after;
  for (let scanned = 0; scanned < MAX_SCANNED;) {
    const bound = below(place, to);
    const pages = await Promise.all(
      branches.map(branch => docs.find({ ...branch, ...bound }, { sort: { createdAt: -1, id: -1 }, limit: size + 1 })),
    );
    const found = pages.flatMap(page => page.items).sort(newestFirst);
    // What is older than the last document of a branch with more may have others of that branch before it.
    const [safe] = pages.flatMap(page => (page.items.length > size ? [page.items.at(-1)!] : [])).sort(newestFirst);
    // With a lower bound in the query, the embedded store would choose an index that has only the times.
    const looked = found.filter(doc => (!from || doc.createdAt >= from) && (!safe || newestFirst(doc, safe) <= 0));
    for (const doc of wanted ? await wanted(looked) : looked) {
      if (items.length === limit) return { items, next: cursorAt(items.at(-1)!) };
      items.push(doc);
    }
    place = looked.at(-1);
    if (!place || !safe || (from && safe.createdAt < from)) return { items, next: null };
    scanned += found.length;
    // The embedded store reads at once, so other work gets a turn between two reads.
    await new Promise(setImmediate);
  }
  return { items, next: place ? cursorAt(place) : null };
}
