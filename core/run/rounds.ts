import { NEEDS_LOOPS } from "../graph/journal-formats.ts";
import type { StepResult } from "./entry.ts";
import type { Frame, MapState, NodeState, RoundState } from "./frame.ts";
import { startPass } from "./start-pass.ts";
import type { Turn } from "./turn.ts";

/** A loop, whose state is that of its current round. */
export type Loop = NodeState & { map: MapState & { round: RoundState } };

export const isLoop = (node: NodeState | undefined): node is Loop => node?.map?.round !== undefined;

/** Begins the round that a loop requests, or the wait for it. */
export function beginRound(
  turn: Turn,
  frame: Frame,
  nodeId: string,
  { index, carry, until }: Extract<StepResult, { kind: "round" }>,
): void {
  const attempt = frame.nodes.get(nodeId)?.attempt;
  turn.addStep(frame, {
    ...{ event: "step.log", nodeId, attempt, round: index, output: carry ?? null, needs: NEEDS_LOOPS },
    ...(until !== undefined && { until }),
  });
  turn.touchMap(frame, nodeId);
}

/** Begins the round that a loop has waited for. */
export function roundDue(turn: Turn, frame: Frame, nodeId: string, { attempt, map }: Loop): void {
  turn.addStep(frame, { event: "step.log", nodeId, attempt, round: map.round.index, needs: NEEDS_LOOPS });
  turn.touchMap(frame, nodeId);
}

/** Starts the steps of a round that has begun. After the last of them, the loop is performed again. */
export function runRound(turn: Turn, frame: Frame, nodeId: string, { status, map }: Loop): void {
  const { round, frames } = map;
  if (turn.isOver || status !== "iterating") return;
  const isEmpty = turn.nodeOf(nodeId)?.body?.nodes.length === 0;
  if (round.ended || isEmpty) return lookAtRound(turn, frame, nodeId, round);
  if (frames.size === 0) startPass(turn, frame, nodeId, round.index);
}

/**
 * Performs the loop again: its expressions decide whether another round follows. Each evaluation has its own attempts.
 */
function lookAtRound(turn: Turn, frame: Frame, nodeId: string, { index }: RoundState): void {
  const message = `Round ${index} has ended.`;
  turn.addStep(frame, { event: "step.started", nodeId, attempt: 1, message });
}
