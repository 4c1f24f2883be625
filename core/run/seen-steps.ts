import type { Frame } from "./frame.ts";

type Steps = Record<string, unknown>;

/** Takes the output of a settled step into its frame. */
export function takeOutput(frame: Frame, nodeId: string, output: unknown): void {
  frame.steps[nodeId] = output;
  frame.outputCount++;
}

/** It grows with each output in the frame and in the frames around it. */
function versionOf(frame: Frame): number {
  let version = 0;
  for (let around: Frame | null = frame; around; around = around.parent) version += around.outputCount;
  return version;
}

/**
 * The value of `steps` in a step's expressions: the outputs of its own level and of the levels around it, the current
 * item of each map around it, and the carried value of each loop around it. Steps that start at the same time share it,
 * because a thousand steps inside a map may start while a thousand outputs exist around it.
 */
export function stepsSeenIn(frame: Frame): Steps {
  const { parent, item, isRound, path, steps } = frame;
  const last = path.at(-1);
  if (!parent || !last) return steps;
  const version = versionOf(frame);
  if (frame.seen?.version === version) return frame.seen.steps;
  const { index } = last;
  const around = { [last.nodeId]: isRound ? { carry: item ?? null, index } : { item, index } };
  const merged = Object.assign(Object.create(null) as Steps, stepsSeenIn(parent), around, steps);
  frame.seen = { steps: merged, version };
  return merged;
}
