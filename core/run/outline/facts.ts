import type { PathPart } from "../../../contracts/entities/execution.ts";
import type { AgentTurn, ShortError } from "../../../contracts/entities/execution-step.ts";
import type { NodeState } from "../frame.ts";

/** Where the journal holds a value: the entry, and its append. */
export interface JournalPosition {
  seq: number;
  append: number;
}

/** The facts that a list shows of a step or an item, without its payloads. */
interface Facts {
  startedAt: string | null;
  finishedAt: string | null;
  error: ShortError | null;
  outputBytes: number | null;
  preview: string | null;
  /** A hash of the output. Equal outputs in the same kind of storage have equal hashes. */
  digest: number | null;
  /** Where the output is stored, once it exists. */
  place: JournalPosition | null;
}

/** A step that has begun. */
export interface StepFacts extends Facts {
  status: NodeState["status"];
  attempt: number;
  durationMs: number | null;
  /** The handle at which a settled step was left; null if the run does not continue from the step. */
  handle: string | null | undefined;
  waitsFor: NodeState["waitsFor"];
  awaits: NodeState["awaits"];
  until: string | undefined;
  childId: string | undefined;
  map?: MapFacts;
  turns?: AgentTurn[];
}

/**
 * An item of a map, or a round of a loop. An item that a retry keeps has ended, and has neither times nor steps. The
 * same is true of rounds before the ones that a retry keeps.
 */
export interface ItemFacts extends Facts {
  ended: boolean;
  /** A step inside the item has failed. */
  failed: boolean;
  level: Level;
  /** Where the journal holds the value that a round carries. */
  carry?: JournalPosition;
}

/** The items of a map, or the rounds of a loop. */
export interface MapFacts {
  /** For a loop, the rounds so far. */
  total: number;
  /** By index. */
  items: Map<number, ItemFacts>;
  /** The number of items that have ended without a failure inside. */
  completed: number;
  /** The number of items with a failure inside. */
  failed: number;
  /** Where the journal holds the items. */
  place: JournalPosition;
  /** The node is a loop. */
  isLoop?: true;
}

/** The steps of the run itself, or of one item of a map. */
export interface Level {
  path: readonly PathPart[];
  steps: Map<string, StepFacts>;
  /** The item and the map that the level belongs to; null for the run itself. */
  item: ItemFacts | null;
  parent: { level: Level; map: MapFacts; step: StepFacts } | null;
}

const noFacts = (): Facts => ({
  startedAt: null,
  finishedAt: null,
  error: null,
  outputBytes: null,
  preview: null,
  digest: null,
  place: null,
});

export const newLevel = (
  path: readonly PathPart[],
  item: Level["item"] = null,
  parent: Level["parent"] = null,
): Level => ({ path, steps: new Map(), item, parent });

export const newStep = (): StepFacts => ({
  ...noFacts(),
  status: "running",
  attempt: 0,
  durationMs: null,
  handle: undefined,
  waitsFor: undefined,
  awaits: undefined,
  until: undefined,
  childId: undefined,
});

/** Adds the item of a map with this index, whose steps are a level below. */
export function addItem(level: Level, step: StepFacts, map: MapFacts, nodeId: string, index: number): ItemFacts {
  const item = { ...noFacts(), ended: false, failed: false } as ItemFacts;
  item.level = newLevel([...level.path, { nodeId, index }], item, { level, map, step });
  map.items.set(index, item);
  return item;
}

/** The level at a path; undefined if it has not begun. */
export function levelAt(root: Level, path: readonly PathPart[]): Level | undefined {
  let level: Level | undefined = root;
  for (const { nodeId, index } of path) level = level?.steps.get(nodeId)?.map?.items.get(index)?.level;
  return level;
}
