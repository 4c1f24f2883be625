import { framesWithin, isActive, keyOf, type Frame, type NodeState } from "./frame.ts";
import type { RunState } from "./state.ts";

/** Puts a node into its frame, and updates the counts. */
export function put(state: RunState, frame: Frame, nodeId: string, after: NodeState): void {
  const before = frame.nodes.get(nodeId);
  const key = frame.path.length === 0 ? nodeId : keyOf({ nodeId, path: frame.path });
  frame.active += Number(isActive(after)) - Number(isActive(before));
  state.running += Number(after.status === "running") - Number(before?.status === "running");
  state.recordChars += (after.records?.chars ?? 0) - (before?.records?.chars ?? 0);
  if (after.status === "waiting") state.waiting.set(key, { frame, nodeId, node: after });
  else if (before?.status === "waiting") state.waiting.delete(key);
  if (before?.map && !after.map) for (const inner of before.map.frames.values()) drop(state, inner);
  frame.nodes.set(nodeId, after);
}

/** Removes an item or a round that has ended, with everything that still runs inside it. */
export function drop(state: RunState, ended: Frame): void {
  for (const frame of framesWithin(ended)) {
    state.frames--;
    for (const [nodeId, node] of frame.nodes) {
      state.recordChars -= node.records?.chars ?? 0;
      if (node.status === "running") state.running--;
      if (node.status !== "waiting") continue;
      state.waiting.delete(keyOf({ nodeId, path: frame.path }));
      giveUpChild(state, node);
    }
  }
}

/** Gives up the child execution that a step waits for. */
export function giveUpChild(state: RunState, node: NodeState | undefined): void {
  if (node?.waitsFor !== "child" || !node.child) return;
  state.orphans.push(node.child.id);
  state.hadOrphans = true;
}

/** Gives up all steps that are under way, because the run has failed. */
export function giveUpAll(state: RunState): void {
  for (const [nodeId, node] of state.nodes) {
    if (!isActive(node)) continue;
    giveUpChild(state, node);
    const { attempt, failures, startedAt } = node;
    put(state, state, nodeId, { status: "cancelled", attempt, failures, startedAt, handle: null });
  }
}
