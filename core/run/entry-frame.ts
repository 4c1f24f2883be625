import type { StepEntry } from "./entry.ts";
import { type Frame, frameAt, newFrame } from "./frame.ts";
import type { RunState } from "./state.ts";

/**
 * The frame that an entry belongs to. The first entry of an item or a round creates its frame. A frame that has ended
 * takes only entries of compensations.
 */
export function frameOf(state: RunState, { path = [], passed }: StepEntry): Frame | undefined {
  const last = path.at(-1);
  if (!last) return state;
  const parent = frameAt(state, path.slice(0, -1));
  const node = parent?.nodes.get(last.nodeId);
  if (!parent || !node) return undefined;
  const { map } = node;
  const known = map?.frames.get(last.index) ?? (passed || state.undoing ? node.past?.get(last.index) : undefined);
  if (known) return known;
  if (passed) {
    const past = newFrame(path, parent, passed.item, passed.round === true);
    (node.past ??= new Map()).set(last.index, past);
    return past;
  }
  if (!map || (map.round && map.round.index !== last.index)) return undefined;
  const item = map.round ? map.round.carry : map.items[last.index];
  const frame = newFrame(path, parent, item, map.round !== undefined);
  map.frames.set(last.index, frame);
  state.frames++;
  return frame;
}
