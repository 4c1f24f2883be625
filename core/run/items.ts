import { type Graph, startsNothing, type GraphNode } from "../graph/graph.ts";
import { isPast, mapOf, type Frame, type MapState } from "./frame.ts";
import type { StepResult } from "./entry.ts";
import { failStep } from "./fail-step.ts";
import { frameOutput } from "./plan.ts";
import { startPass } from "./start-pass.ts";
import { isLoop, runRound } from "./rounds.ts";
import type { RunState } from "./state.ts";
import { isTooLarge } from "./step-limits.ts";
import { endItem } from "./step-state.ts";
import { MAX_ENTRIES, type Turn } from "./turn.ts";
import { NODE_TYPES } from "../graph/node-types.ts";

/** Whether `out` is the only handle by which the node can be left. */
function leavesByOut({ type, data, policy }: GraphNode): boolean {
  const handles = NODE_TYPES[type].handles(data);
  return policy.onError !== "route" && handles.length === 1 && handles[0] === "out";
}

/**
 * The fewest entries that one pass over a graph needs. A step that certainly runs has two entries, its start and its
 * end. Any other step may be skipped, which is one entry.
 */
export function leastEntries(graph: Graph): number {
  const sure = new Set<GraphNode>();
  const queue = graph.nodes.filter(node => node.in.length === 0 && !node.undoes && !startsNothing(node));
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (sure.has(node)) continue;
    sure.add(node);
    if (leavesByOut(node)) queue.push(...node.out.map(edge => edge.target));
  }
  return graph.nodes.filter(node => !node.undoes).length + sure.size;
}

const MAX_ITEMS = 10_000;
/**
 * The greatest length, as JSON, of all items of one map, and of all its outputs. Each list becomes one journal entry.
 */
export const MAX_LIST_CHARS = 4 * 1_048_576;
/** The most items of all maps of one run that run at the same time. Beyond this, each map runs one item at a time. */
const MAX_FRAMES = 500;

const invalid = (message: string) => ({ code: "invalid_data", message });

/** Why a map cannot run for these items; null if it can. */
function refusal(turn: Turn, items: readonly unknown[], body: Graph) {
  if (items.length > MAX_ITEMS)
    return invalid(`/data/items: ${items.length} items; a map takes at most ${MAX_ITEMS.toLocaleString("en")}.`);
  if (JSON.stringify(items).length > MAX_LIST_CHARS)
    return { code: "output_too_large", message: `The items are larger than ${MAX_LIST_CHARS / 1_048_576} MiB.` };
  const needed = items.length * leastEntries(body);
  if (needed <= MAX_ENTRIES - turn.state.seq) return null;
  const message = `${items.length} items of ${body.nodes.length} steps are more than the ${MAX_ENTRIES.toLocaleString("en")} log entries that one run may have: let a subworkflow do them.`;
  return { code: "journal_full", message };
}

/** Begins a map. A map without steps returns its items. */
export function iterate(
  turn: Turn,
  frame: Frame,
  nodeId: string,
  { items, concurrency }: Extract<StepResult, { kind: "iterate" }>,
): void {
  const node = frame.nodes.get(nodeId);
  const body = turn.nodeOf(nodeId)?.body;
  if (!node || !body) return;
  const error = refusal(turn, items, body);
  if (error) return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: false }, 0);
  if (body.nodes.length === 0) {
    turn.settle(frame, { event: "step.completed", nodeId, output: items, handle: "out", durationMs: turn.since(node) });
    return;
  }
  turn.addStep(frame, { event: "step.log", nodeId, attempt: node.attempt, items, concurrency });
  turn.touchMap(frame, nodeId);
}

/** The next item that has neither started nor finished; the number of items if there is none. */
function nextItem(map: MapState): number {
  while (map.next < map.items.length && (map.outputs[map.next] !== undefined || map.frames.has(map.next))) map.next++;
  return map.next;
}

/**
 * Starts as many items of a map as may run at the same time, or the steps of a loop's round. Ends the map when all
 * items have finished.
 */
export function fillMap(turn: Turn, frame: Frame, nodeId: string): void {
  const node = frame.nodes.get(nodeId);
  if (isLoop(node)) return runRound(turn, frame, nodeId, node);
  const map = node?.map;
  if (!map) return;
  while (!turn.isOver && map.frames.size < map.concurrency) {
    if (map.frames.size > 0 && turn.state.frames >= MAX_FRAMES) break;
    const index = nextItem(map);
    if (index === map.items.length) break;
    startPass(turn, frame, nodeId, index);
  }
  if (turn.isOver || map.done < map.items.length) return;
  const output = map.outputs;
  turn.settle(frame, { event: "step.completed", nodeId, output, handle: "out", durationMs: turn.since(node) });
}

/**
 * Ends an item or a round whose steps have all settled. The output of an item becomes part of the map's output. A loop
 * evaluates the outputs of the round.
 */
export function endFrame(turn: Turn, frame: Frame): void {
  const { parent } = frame;
  const nodeId = frame.path.at(-1)?.nodeId;
  const map = mapOf(frame)?.map;
  if (!parent || nodeId === undefined || !map) return;
  if (map.round?.ended) return turn.touchMap(parent, nodeId);
  const { output, joined } = frameOutput(turn.graphOf(frame), frame, frame.item);
  const [first] = frame.nodes.keys();
  if (!turn.lastEntry(frame))
    turn.addStep(frame, {
      event: "step.log",
      nodeId: first ?? "",
      message: `The ${map.round ? "round" : "item"} has ended.`,
    });
  const entry = turn.lastEntry(frame);
  if (!entry || turn.isOver) return;
  entry.ends = true;
  const isOwn = entry.output !== undefined && Object.is(entry.output, output);
  // Only readers use the output of a round, so an output that is too large is left out instead of refused.
  if (!isOwn) entry.itemOutput = (map.round && joined && isTooLarge(output) ? null : output) ?? null;
  endItem(turn.state, frame, entry);
  if (map.round || map.chars <= MAX_LIST_CHARS) return turn.touchMap(parent, nodeId);
  const message = `The outputs of the items are together larger than ${MAX_LIST_CHARS / 1_048_576} MiB.`;
  failStep(turn, parent, nodeId, { kind: "failed", error: { code: "output_too_large", message }, retryable: false }, 0);
}

/**
 * Whether an item still runs and was not dropped with its map. While the run undoes its steps, ended items are live
 * too.
 */
export const isLive = (state: RunState, frame: Frame): boolean => {
  for (let at: Frame | null = frame; at?.parent; at = at.parent) {
    const runs = mapOf(at)?.map?.frames.get(at.path.at(-1)?.index ?? -1) === at;
    if (!runs && !(state.undoing && isPast(at))) return false;
  }
  return true;
};
