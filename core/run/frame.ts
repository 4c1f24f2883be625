import type { ExecutionError, PathPart, Suspension } from "../../contracts/entities/execution.ts";
import type { ChildCall, StepRecord } from "./entry.ts";

/** Where a step stands: its node, and the items of the maps around it, outermost first. */
export interface Address {
  nodeId: string;
  path?: readonly PathPart[] | undefined;
}

export interface NodeState {
  /** `iterating` is a map whose items run. */
  status: "running" | "waiting" | "iterating" | "completed" | "failed" | "skipped";
  /** Starts so far, those cut off by a lost worker included. */
  attempt: number;
  /** Failures so far; the retry policy counts these. */
  failures: number;
  output?: unknown;
  /** Why it failed. */
  error?: ExecutionError | undefined;
  /** What a settled node left by; null when nothing leaves it. */
  handle: string | null;
  startedAt: string;
  until?: string | undefined;
  suspension?: Suspension | undefined;
  /** Why it waits: an answer, a delay's end, the next attempt, or another execution. */
  waitsFor?: "answer" | "delay" | "retry" | "child" | undefined;
  /** The execution that it waits for, or waited for at the attempt before. */
  child?: ChildCall | undefined;
  map?: MapState | undefined;
  /** The step's own name for what it asks, where it goes on with the answer. */
  question?: string | undefined;
  records?: Records | undefined;
}

/** What a step has done of its work, kept until it has finished. */
export interface Records {
  list: StepRecord[];
  /** Of what they hold, as JSON. */
  chars: number;
}

/** A map while its items run. Of a finished item only the output is kept. */
export interface MapState {
  items: readonly unknown[];
  concurrency: number;
  /** By index; undefined where an item has not finished. */
  outputs: unknown[];
  done: number;
  /** Of the outputs together, as JSON. */
  chars: number;
  /** No item before this one waits to be started. */
  next: number;
  frames: Map<number, Frame>;
}

/** One pass over the nodes of one level: the run itself, or one item of a map. */
export interface Frame {
  path: readonly PathPart[];
  parent: Frame | null;
  item: unknown;
  nodes: Map<string, NodeState>;
  /** Outputs by node id, as expressions see them. */
  steps: Record<string, unknown>;
  /** How many nodes run, wait or iterate. */
  active: number;
}

export const newFrame = (path: readonly PathPart[], parent: Frame | null, item: unknown): Frame => ({
  path,
  parent,
  item,
  nodes: new Map(),
  // Node ids are users' words: no prototype to run into.
  steps: Object.create(null) as Record<string, unknown>,
  active: 0,
});

export const isActive = (node: NodeState | undefined): boolean =>
  node?.status === "running" || node?.status === "waiting" || node?.status === "iterating";

/** One text for each address; node ids are free text, so what joins them must be no part of them. */
export const keyOf = ({ nodeId, path = [] }: Address): string =>
  path.length === 0 ? nodeId : `${path.map(part => part.index).join("\n")}\n\n${nodeId}`;

/** The map that a frame is an item of; undefined for the run itself. */
export const mapOf = (frame: Frame): NodeState | undefined => frame.parent?.nodes.get(frame.path.at(-1)?.nodeId ?? "");

/** The frame at a path; undefined where it has ended or has not begun. */
export function frameAt(root: Frame, path: readonly PathPart[] = []): Frame | undefined {
  let frame: Frame | undefined = root;
  for (const { nodeId, index } of path) frame = frame?.nodes.get(nodeId)?.map?.frames.get(index);
  return frame;
}

export const nodeAt = (root: Frame, { nodeId, path }: Address): NodeState | undefined =>
  frameAt(root, path)?.nodes.get(nodeId);

/** The address of a node in a frame. At the root without a path, so that journals say no more than they must. */
export const addressIn = (frame: Frame, nodeId: string): Address =>
  frame.path.length === 0 ? { nodeId } : { nodeId, path: frame.path };

/** This frame and all those inside of it. */
export function* framesWithin(frame: Frame): Generator<Frame> {
  yield frame;
  for (const { map } of frame.nodes.values()) {
    if (map) for (const inner of map.frames.values()) yield* framesWithin(inner);
  }
}

/** What expressions of a step see as `steps`: the outputs of its own level and of those around it, and of maps the item. */
export function stepsSeenIn(frame: Frame): Record<string, unknown> {
  if (!frame.parent) return frame.steps;
  const last = frame.path.at(-1);
  const around = last ? { [last.nodeId]: { item: frame.item, index: last.index } } : {};
  return Object.assign(Object.create(null) as Record<string, unknown>, stepsSeenIn(frame.parent), around, frame.steps);
}
