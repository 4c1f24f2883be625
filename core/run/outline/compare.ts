import type { PathPart } from "../../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../../graph/graph.ts";
import type { ItemFacts, Level, StepFacts } from "./facts.ts";
import type { Outline } from "./outline.ts";
import { inOrder, isLevelOver, itemStatusOf, stepStatusOf } from "./rows.ts";

/** A run in a comparison: its outline, and its definition if that still exists. */
export interface ComparedRun {
  outline: Outline;
  graph: Graph | undefined;
}

/** A level of a run, or where an item ended without steps of its own, the item. */
interface RunSide<T> {
  facts: T;
  level: Level;
  isOver: boolean;
}

/** One step, or one item of a map, in two runs. It is null in a run in which it has not begun. */
export interface Pair {
  nodeId: string;
  path: readonly PathPart[];
  node: GraphNode | undefined;
  isItem: boolean;
  a: RunSide<StepFacts | ItemFacts> | null;
  b: RunSide<StepFacts | ItemFacts> | null;
}

const statusOf = ({ facts, isOver }: RunSide<StepFacts | ItemFacts>, isItem: boolean) =>
  isItem ? itemStatusOf(facts as ItemFacts, isOver) : stepStatusOf(facts as StepFacts, isOver);

/** The status of the step or item in a run. */
export const pairStatus = ({ isItem }: Pair, place: RunSide<StepFacts | ItemFacts> | null) =>
  place && statusOf(place, isItem);

/** Whether both runs have the step with the same status, error code and output. */
export function isAlike(pair: Pair): boolean {
  const { a, b } = pair;
  if (!a || !b) return false;
  return (
    pairStatus(pair, a) === pairStatus(pair, b) &&
    a.facts.error?.code === b.facts.error?.code &&
    a.facts.error?.message === b.facts.error?.message &&
    a.facts.digest === b.facts.digest &&
    a.facts.outputBytes === b.facts.outputBytes
  );
}

/** An item that a retry keeps has an output but no steps. */
const isBare = (item: ItemFacts | undefined) => item !== undefined && item.level.steps.size === 0;

const placeOf = <T extends StepFacts | ItemFacts>(
  { outline }: ComparedRun,
  level: Level | undefined,
  facts: T | undefined,
): RunSide<T> | null => (level && facts ? { facts, level, isOver: isLevelOver(outline, level) } : null);

function* itemsOf(
  runs: readonly [ComparedRun, ComparedRun],
  levels: readonly [Level | undefined, Level | undefined],
  maps: readonly [StepFacts | undefined, StepFacts | undefined],
  node: Pick<Pair, "nodeId" | "node">,
): Generator<Pair> {
  const [a, b] = [maps[0]?.map?.items, maps[1]?.map?.items];
  const indexes = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].sort((x, y) => x - y);
  for (const index of indexes) {
    const [itemA, itemB] = [a?.get(index), b?.get(index)];
    const path = [...(levels[0] ?? levels[1])!.path, { nodeId: node.nodeId, index }];
    if (isBare(itemA) || isBare(itemB)) {
      const [placeA, placeB] = [placeOf(runs[0], itemA?.level, itemA), placeOf(runs[1], itemB?.level, itemB)];
      yield { ...node, path, isItem: true, a: placeA, b: placeB };
    } else yield* pairsIn(runs, [itemA?.level, itemB?.level], node.node?.body ?? undefined, path);
  }
}

function* pairsIn(
  runs: readonly [ComparedRun, ComparedRun],
  levels: readonly [Level | undefined, Level | undefined],
  body: Graph | undefined,
  path: readonly PathPart[],
): Generator<Pair> {
  const [a, b] = levels;
  const known = body ? inOrder(body) : [];
  const others = [...(a?.steps.keys() ?? []), ...(b?.steps.keys() ?? [])];
  for (const nodeId of new Set([...known.map(({ id }) => id), ...others])) {
    const [stepA, stepB] = [a?.steps.get(nodeId), b?.steps.get(nodeId)];
    const node = runs[1].graph?.byId.get(nodeId) ?? runs[0].graph?.byId.get(nodeId);
    if (stepA ?? stepB)
      yield { nodeId, path, node, isItem: false, a: placeOf(runs[0], a, stepA), b: placeOf(runs[1], b, stepB) };
    if (stepA?.map ?? stepB?.map) yield* itemsOf(runs, levels, [stepA, stepB], { nodeId, node });
  }
}

/**
 * The steps that at least one of two runs has begun, by id and item, in the order in which they can run in the second
 * run. A step that only one definition has follows the others.
 */
export const pairsOf = (a: ComparedRun, b: ComparedRun): Generator<Pair> =>
  pairsIn([a, b], [a.outline.root, b.outline.root], b.graph ?? a.graph, []);
