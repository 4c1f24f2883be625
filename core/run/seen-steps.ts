import type { Frame } from "./frame.ts";

type Steps = Record<string, unknown>;

/** What the steps of a frame see. The version grows with each output in the frame and in the frames around it. */
interface Seen {
  steps: Steps;
  version: number;
}

/** The number of outputs that each frame has taken, by its outputs. */
const taken = new WeakMap<Steps, number>();
const known = new WeakMap<Frame, Seen>();

/** Takes the output of a settled step into its frame. */
export function takeOutput({ steps }: Frame, nodeId: string, output: unknown): void {
  steps[nodeId] = output;
  taken.set(steps, (taken.get(steps) ?? 0) + 1);
}

function seenIn(frame: Frame): Seen {
  const { parent, item, isRound, path, steps } = frame;
  const own = taken.get(steps) ?? 0;
  const last = path.at(-1);
  if (!parent || !last) return { steps, version: own };
  const outside = seenIn(parent);
  const version = outside.version + own;
  const before = known.get(frame);
  if (before?.version === version) return before;
  const { index } = last;
  const around = { [last.nodeId]: isRound ? { carry: item ?? null, index } : { item, index } };
  const merged = Object.assign(Object.create(null) as Steps, outside.steps, around, steps);
  const seen = { steps: merged, version };
  known.set(frame, seen);
  return seen;
}

/**
 * The value of `steps` in a step's expressions: the outputs of its own level and of the levels around it, the current
 * item of each map around it, and the carried value of each loop around it. Steps that start at the same time share it,
 * because a thousand steps inside a map may start while a thousand outputs exist around it.
 */
export const stepsSeenIn = (frame: Frame): Steps => seenIn(frame).steps;
