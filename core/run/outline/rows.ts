import type { PathPart } from "../../../contracts/entities/execution.ts";
import type { ExecutionStep, ShortError, StepStatus } from "../../../contracts/entities/execution-step.ts";
import type { Graph, GraphNode } from "../../graph/graph.ts";
import type { Awaited } from "../entry.ts";
import { isActive } from "../frame.ts";
import type { ItemFacts, Level, MapFacts, StepFacts } from "./facts.ts";
import { levelAt } from "./facts.ts";
import type { Outline } from "./outline.ts";

/** Rows that keep their positions while the run continues. */
export interface Rows {
  count: number;
  statusAt: (place: number) => StepStatus;
  rowAt: (place: number) => ExecutionStep;
}

export type Under = readonly { nodeId: string; index?: number | undefined }[];

const NO_ROWS: Rows = {
  count: 0,
  statusAt: () => "pending",
  rowAt: () => {
    throw new RangeError("there is no such row");
  },
};

/**
 * The nodes of a level in the order in which they can run (Kahn, 1962). Nodes that can run at the same time are in the
 * order of the definition. Compensations come last, in the order in which they undo.
 */
export function inOrder({ nodes }: Graph): GraphNode[] {
  const open = new Map(nodes.map(node => [node, node.in.length]));
  const ordered = nodes.filter(node => node.in.length === 0 && !node.undoes);
  for (let i = 0; i < ordered.length; i++) {
    for (const { target } of ordered[i]!.out) {
      const left = (open.get(target) ?? 0) - 1;
      open.set(target, left);
      if (left === 0) ordered.push(target);
    }
  }
  return [...ordered, ...ordered.toReversed().flatMap(({ compensation }) => compensation ?? [])];
}

/** Whether a level no longer changes: the run, or an item or a map around the level, has ended. */
export function isLevelOver(outline: Outline, level: Level): boolean {
  if (outline.isOver) return true;
  for (let at: Level | undefined = level; at?.parent; at = at.parent.level) {
    if (at.item?.ended || !isUnderWay(at.parent.step)) return true;
  }
  return false;
}

const isUnderWay = ({ status }: Pick<StepFacts, "status">) => isActive({ status });

/** The status of a step, or `pending` for one that has not begun. */
export function stepStatusOf(step: StepFacts | undefined, isOver: boolean): StepStatus {
  if (!step) return "pending";
  if (isOver && isUnderWay(step)) return "cancelled";
  return step.status === "iterating" ? "running" : step.status;
}

/**
 * The status of an item or a round. It is `failed` if a step in it has failed, whether or not the failure was handled.
 */
export function itemStatusOf(item: ItemFacts | undefined, isOver: boolean): StepStatus {
  if (!item) return "pending";
  if (item.failed) return "failed";
  if (item.ended) return "completed";
  return isOver ? "cancelled" : "running";
}

function countsOf({ total, items, completed, failed, isLoop }: MapFacts, isOver: boolean): ExecutionStep["items"] {
  const running = isOver ? 0 : [...items.values()].filter(item => !item.ended && !item.failed).length;
  return { total, completed, failed, running, ...(isLoop && { rounds: true }) };
}

const pathOf = (path: readonly PathPart[]) => (path.length > 0 ? { path } : {});

const awaitedOf = ({ event, key }: Awaited): ExecutionStep["awaits"] => ({
  ...(event !== undefined && { event }),
  ...(key !== undefined && { key }),
});

function stepRow(
  level: Pick<Level, "path">,
  nodeId: string,
  node: GraphNode | undefined,
  step: StepFacts | undefined,
  isOver: boolean,
): ExecutionStep {
  const status = stepStatusOf(step, isOver);
  const waits = status === "waiting" ? step : undefined;
  return {
    nodeId,
    name: node?.name ?? nodeId,
    type: node?.type ?? null,
    ...pathOf(level.path),
    status,
    attempt: step?.attempt ?? 0,
    attempts: node?.policy.retry.maxAttempts ?? null,
    startedAt: step?.startedAt ?? null,
    finishedAt: step?.finishedAt ?? null,
    durationMs: step?.durationMs ?? null,
    ...(step?.handle !== undefined && { handle: step.handle }),
    ...(waits?.waitsFor && { waitsFor: waits.waitsFor }),
    ...(waits?.awaits && { awaits: awaitedOf(waits.awaits) }),
    ...(waits?.until && { until: waits.until }),
    ...(step?.childId && { childExecutionId: step.childId }),
    error: step?.error ?? null,
    outputBytes: step?.outputBytes ?? null,
    preview: step?.preview ?? null,
    ...(step?.map && { items: countsOf(step.map, isOver || !isUnderWay(step)) }),
    ...(step?.turns && { turns: step.turns }),
  };
}

function firstError({ steps }: Level): ShortError | null {
  for (const { status, error } of steps.values()) if (status === "failed" && error) return error;
  return null;
}

function itemRow(
  {
    path,
    node,
    nodeId,
    type,
  }: { path: readonly PathPart[]; node: GraphNode | undefined; nodeId: string; type: string },
  index: number,
  item: ItemFacts | undefined,
  isOver: boolean,
): ExecutionStep {
  const { startedAt = null, finishedAt = null, outputBytes = null, preview = null } = item ?? {};
  const took = startedAt && finishedAt ? Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : null;
  return {
    nodeId,
    name: node?.name ?? nodeId,
    type,
    path: [...path, { nodeId, index }],
    status: itemStatusOf(item, isOver),
    attempt: item ? 1 : 0,
    attempts: 1,
    ...{ startedAt, finishedAt, durationMs: took },
    error: item?.failed ? firstError(item.level) : null,
    ...{ outputBytes, preview },
  };
}

function stepRows(outline: Outline, graph: Graph | undefined, path: readonly PathPart[]): Rows {
  const level = levelAt(outline.root, path);
  const body = path.length === 0 ? graph : graph?.byId.get(path.at(-1)!.nodeId)?.body;
  const nodes = body ? inOrder(body) : [];
  const known = new Set(nodes.map(({ id }) => id));
  const gone = [...(level?.steps.keys() ?? [])].filter(id => !known.has(id));
  const ids = [...known, ...gone];
  const isOver = level ? isLevelOver(outline, level) : true;
  const stepAt = (place: number) => level?.steps.get(ids[place]!);
  return {
    count: ids.length,
    statusAt: place => stepStatusOf(stepAt(place), isOver),
    rowAt: place => stepRow({ path }, ids[place]!, graph?.byId.get(ids[place]!), stepAt(place), isOver),
  };
}

function itemRows(outline: Outline, graph: Graph | undefined, path: readonly PathPart[], nodeId: string): Rows {
  const level = levelAt(outline.root, path);
  const step = level?.steps.get(nodeId);
  if (!level || !step?.map) return NO_ROWS;
  const { total, items, isLoop } = step.map;
  const isOver = isLevelOver(outline, level) || !isUnderWay(step);
  const at = { path, nodeId, node: graph?.byId.get(nodeId), type: isLoop ? "round" : "item" };
  return {
    count: total,
    statusAt: index => itemStatusOf(items.get(index), isOver),
    rowAt: index => itemRow(at, index, items.get(index), isOver),
  };
}

/**
 * The rows at a place of the run: the steps of a level, including those that have not begun, or the items of a map. A
 * place that the run has not reached has the steps of the definition, and no items.
 */
export function rowsUnder(outline: Outline, graph: Graph | undefined, under: Under): Rows {
  const last = under.at(-1);
  if (last && last.index === undefined) return itemRows(outline, graph, under.slice(0, -1) as PathPart[], last.nodeId);
  const path = under as PathPart[];
  const total = last && levelAt(outline.root, path.slice(0, -1))?.steps.get(last.nodeId)?.map?.total;
  if (last && (total === undefined || (last.index ?? 0) >= total)) return NO_ROWS;
  return stepRows(outline, graph, path);
}
