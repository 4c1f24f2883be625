import type { ExecutionError, PathPart, Suspension } from "../../contracts/entities/execution.ts";
import type { Awaited, ChildCall, StepRecord } from "./entry.ts";

/** The address of a step: its node, and the items and rounds around it, outermost first. */
export interface Address {
  nodeId: string;
  path?: readonly PathPart[] | undefined;
}

export interface NodeState {
  /**
   * `iterating` is a map whose items run, or a loop whose round runs. `cancelled` is a step that was given up when the
   * run failed.
   */
  status: "running" | "waiting" | "iterating" | "completed" | "failed" | "skipped" | "cancelled";
  /** Starts so far, including starts that ended with the loss of a worker. */
  attempt: number;
  /** Failures so far. The retry policy counts them. */
  failures: number;
  output?: unknown;
  /** Why the node failed. */
  error?: ExecutionError | undefined;
  /** The handle at which a settled node was left; null if the run does not continue from the node. */
  handle: string | null;
  startedAt: string;
  /** When the first attempt started, if it is not `startedAt`. */
  began?: string | undefined;
  until?: string | undefined;
  suspension?: Suspension | undefined;
  /** The seq of the entry that completed the node. */
  completedAt?: number | undefined;
  /** What the node waits for: an answer, the end of a delay, the next attempt, a child execution, or a signal. */
  waitsFor?: "answer" | "delay" | "retry" | "child" | "event" | undefined;
  awaits?: Awaited | undefined;
  /** The signal that ended the wait of the node. */
  signal?: string | undefined;
  /** The child execution that the node waits for, or that its previous attempt waited for. */
  child?: ChildCall | undefined;
  map?: MapState | undefined;
  /** The node has completed, and its policy names a compensation. */
  undoable?: true | undefined;
  /** The ended passes of a map or loop, by index, if compensations may have to undo steps in them. */
  past?: Map<number, Frame> | undefined;
  /** The step's own name for its question, if the step continues with the answer. */
  question?: string | undefined;
  records?: Records | undefined;
}

/** The finished parts of a step's work, kept until the step has finished. */
export interface Records {
  list: StepRecord[];
  /** The length of all records together, as JSON. */
  chars: number;
}

/** A map while its items run. Of a finished item only the output is kept. */
export interface MapState {
  items: readonly unknown[];
  concurrency: number;
  /** By index; undefined for an unfinished item. */
  outputs: unknown[];
  done: number;
  /** The length of the outputs together, as JSON. */
  chars: number;
  /** Every item before this index has started or finished. */
  next: number;
  frames: Map<number, Frame>;
  /** The current round, if the node is a loop. The items are rounds then, and only the current one has a frame. */
  round?: RoundState;
}

/** The current round of a loop. It runs, or the loop waits for it, or the loop has to evaluate it. */
export interface RoundState {
  index: number;
  carry: unknown;
  /** When the loop began. */
  since: string;
  /** All steps of the round have settled. Its frame stays until the loop has evaluated their outputs. */
  ended: boolean;
}

/** One pass over the nodes of one level: the run itself, one item of a map, or one round of a loop. */
export interface Frame {
  path: readonly PathPart[];
  parent: Frame | null;
  /** The item, or what the round carries. */
  item: unknown;
  isRound: boolean;
  nodes: Map<string, NodeState>;
  /** Outputs by node id, as expressions see them. */
  steps: Record<string, unknown>;
  /** The number of times that an output was taken into `steps`. */
  outputCount: number;
  /** What the steps of this frame saw last: see `stepsSeenIn`. */
  seen: { steps: Record<string, unknown>; version: number } | null;
  /** The number of nodes that run, wait or iterate. */
  active: number;
}

export const newFrame = (path: readonly PathPart[], parent: Frame | null, item: unknown, isRound: boolean): Frame => ({
  path,
  parent,
  item,
  isRound,
  nodes: new Map(),
  // Node ids are chosen by users, so the object must have no prototype.
  steps: Object.create(null) as Record<string, unknown>,
  outputCount: 0,
  seen: null,
  active: 0,
});

export const isActive = (node: Pick<NodeState, "status"> | undefined): boolean =>
  node?.status === "running" || node?.status === "waiting" || node?.status === "iterating";

/** One text for each address. Node ids are free text, so the separator must not be part of them. */
export const keyOf = ({ nodeId, path = [] }: Address): string =>
  path.length === 0 ? nodeId : `${path.map(part => part.index).join("\n")}\n\n${nodeId}`;

/** The map or loop that a frame is an item or a round of; undefined for the run itself. */
export const mapOf = (frame: Frame): NodeState | undefined => frame.parent?.nodes.get(frame.path.at(-1)?.nodeId ?? "");

/** A pass of a map or loop that runs or is kept for compensations. */
const passOf = (node: NodeState | undefined, index: number): Frame | undefined =>
  node?.map?.frames.get(index) ?? node?.past?.get(index);

/** The frame at a path; undefined if it has not begun, or has ended and was not kept. */
export function frameAt(root: Frame, path: readonly PathPart[] = []): Frame | undefined {
  let frame: Frame | undefined = root;
  for (const { nodeId, index } of path) frame = passOf(frame?.nodes.get(nodeId), index);
  return frame;
}

/** Whether a frame has ended and is kept for compensations. */
export const isPast = (frame: Frame): boolean => mapOf(frame)?.past?.get(frame.path.at(-1)?.index ?? -1) === frame;

export const nodeAt = (root: Frame, { nodeId, path }: Address): NodeState | undefined =>
  frameAt(root, path)?.nodes.get(nodeId);

/** The address of a node in a frame. An address at the root has no path, which keeps journals small. */
export const addressIn = (frame: Frame, nodeId: string): Address =>
  frame.path.length === 0 ? { nodeId } : { nodeId, path: frame.path };

/** This frame and all frames inside it that run. */
export function* framesWithin(frame: Frame): Generator<Frame> {
  yield frame;
  for (const { map } of frame.nodes.values()) {
    if (map) for (const inner of map.frames.values()) yield* framesWithin(inner);
  }
}

/** The values of the innermost map and the innermost loop that a step's expressions can read. */
export function passesSeenIn(frame: Frame): {
  item?: unknown;
  index?: number;
  loop?: { index: number; carry: unknown };
} {
  const seen: ReturnType<typeof passesSeenIn> = {};
  for (let at: Frame | null = frame; at?.parent; at = at.parent) {
    const index = at.path.at(-1)?.index ?? 0;
    const value = at.item ?? null;
    if (at.isRound) seen.loop ??= { index, carry: value };
    else if (seen.index === undefined) Object.assign(seen, { item: value, index });
  }
  return seen;
}
