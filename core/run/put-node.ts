import { isActive, keyOf, type Frame, type NodeState } from "./frame.ts";
import type { RunState } from "./state.ts";

/**
 * Puts a node into its frame, and updates the counts. Ends the passes of a map or loop that the node no longer runs.
 */
export function putNode(state: RunState, frame: Frame, nodeId: string, after: NodeState): void {
  const before = frame.nodes.get(nodeId);
  const key = frame.path.length === 0 ? nodeId : keyOf({ nodeId, path: frame.path });
  frame.active += Number(isActive(after)) - Number(isActive(before));
  state.running += Number(after.status === "running") - Number(before?.status === "running");
  state.recordChars += (after.records?.chars ?? 0) - (before?.records?.chars ?? 0);
  if (after.status === "waiting") state.waiting.set(key, { frame, nodeId, node: after });
  else if (before?.status === "waiting") state.waiting.delete(key);
  if (before?.past) after.past = before.past;
  if (before?.map && before.map !== after.map)
    for (const [index, pass] of before.map.frames) endPass(state, after, index, pass);
  frame.nodes.set(nodeId, after);
}

/**
 * Ends an item or a round with everything that still runs inside it. It is kept if a compensation may have to undo
 * steps in it.
 */
export function endPass(state: RunState, around: NodeState, index: number, pass: Frame): void {
  state.frames--;
  for (const [nodeId, node] of pass.nodes)
    if (isActive(node) || node.map || node.records) giveUp(state, pass, nodeId, node);
  if (hasUndoable(pass)) (around.past ??= new Map()).set(index, pass);
}

/** Whether a frame, or its maps and loops, contains finished steps that a compensation may have to undo. */
function hasUndoable(frame: Frame): boolean {
  for (const { undoable, past, map } of frame.nodes.values())
    if (undoable ?? past ?? (map && hasUndoablePass(map.frames.values()))) return true;
  return false;
}

const hasUndoablePass = (passes: Iterable<Frame>): boolean => {
  for (const pass of passes) if (hasUndoable(pass)) return true;
  return false;
};

/** Gives up an unfinished step, or the remaining passes and records of a failed one. */
function giveUp(state: RunState, frame: Frame, nodeId: string, node: NodeState): void {
  if (!isActive(node)) return putNode(state, frame, nodeId, { ...node, map: undefined, records: undefined });
  giveUpChild(state, node);
  const { attempt, failures, startedAt } = node;
  putNode(state, frame, nodeId, { status: "cancelled", attempt, failures, startedAt, handle: null });
}

/** Gives up the child execution that a step waits for. */
export function giveUpChild(state: RunState, node: NodeState | undefined): void {
  if (node?.waitsFor !== "child" || !node.child) return;
  state.orphans.push(node.child.id);
  state.hadOrphans = true;
}

/** Gives up all unfinished steps, because the run has failed. A failed loop keeps its last round for a retry. */
export function giveUpAll(state: RunState): void {
  for (const [nodeId, node] of state.nodes)
    if (isActive(node) || (node.map && hasUndoablePass(node.map.frames.values()))) giveUp(state, state, nodeId, node);
}
