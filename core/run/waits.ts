import type { Suspension } from "../../contracts/entities/execution.ts";
import type { RunState } from "./state.ts";

/** The suspension that a suspended run shows: that of the named node, or of the first that waits for an answer. */
export function openQuestion(state: RunState, nodeId?: string): Suspension | undefined {
  for (const [id, node] of state.nodes) {
    if (node.waitsFor === "answer" && node.status === "waiting" && (nodeId === undefined || id === nodeId))
      return node.suspension;
  }
  return undefined;
}

/** When a run that only waits goes on by itself, ISO 8601; null when it does not, or when a step runs. */
export function nextWake(state: RunState): string | null {
  let earliest: string | null = null;
  for (const node of state.nodes.values()) {
    if (node.status === "running") return null;
    if (node.status === "waiting" && node.until && (!earliest || node.until < earliest)) earliest = node.until;
  }
  return earliest;
}
