import type { ExecutionError, LogEvent } from "../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import { NEEDS_COMPENSATIONS } from "../graph/journal-formats.ts";
import type { StepEntry } from "./entry.ts";
import { addressIn, frameAt, isActive, isPast, type Frame, type NodeState } from "./frame.ts";
import { apply } from "./fold.ts";
import { isFinal, type RunState } from "./state.ts";
import { hasToUndo, isUndoable, nextToUndo, outcomeOf, runningFrames } from "./undo.ts";

/**
 * The most entries of one journal. A run that would exceed them fails, so that an endless loop cannot fill the store.
 */
export const MAX_ENTRIES = 50_000;

/** What the rules depend on but must not determine themselves. */
export interface TurnContext {
  /** ISO 8601. */
  now: string;
  /** From [0, 1), for jitter. */
  random: number;
}

/**
 * The extra entries that a run may write to undo its steps: this number, plus two for each finished step inside a map
 * or loop.
 */
const MAX_UNDOING = 5_000;

type Draft = Omit<StepEntry, "seq" | "at">;

/** The entries that may still be written to a full journal. */
const CLOSING: ReadonlySet<LogEvent> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "execution.compensating",
  "execution.compensated",
]);

/** One move of a run: the resulting entries. Each entry is applied to the state at once. */
export class Turn {
  readonly entries: StepEntry[] = [];
  /** The frames to plan, with the nodes that settled in them. Null means to plan the whole frame. */
  readonly touched = new Map<Frame, Set<string> | null>();
  /** The maps that may start items, or may have ended, by frame. */
  readonly maps = new Map<Frame, Set<string>>();
  private readonly lastOf = new Map<Frame, StepEntry>();
  private gaveUp = false;
  readonly graph: Graph;
  readonly state: RunState;
  readonly around: TurnContext;

  constructor(graph: Graph, state: RunState, around: TurnContext) {
    this.graph = graph;
    this.state = state;
    this.around = around;
  }

  /** The run has ended, or has failed and gives up all its unfinished steps. */
  get isOver(): boolean {
    return isFinal(this.state.status) || this.gaveUp;
  }

  /** Whether the run has failed in this turn. If so, it begins to undo its steps. */
  takeUp(): boolean {
    const { gaveUp } = this;
    this.gaveUp = false;
    this.touched.clear();
    this.maps.clear();
    return gaveUp;
  }

  /** Adds an entry, unless the run has ended. */
  add(draft: Draft): void {
    if (this.isOver) return;
    const { state, around } = this;
    const most = state.undoing ? MAX_ENTRIES + MAX_UNDOING + 2 * state.undoables : MAX_ENTRIES;
    // A run that undoes its steps ends with its original error.
    if (state.seq + 1 >= most && !CLOSING.has(draft.event)) return this.fail(full());
    const entry: StepEntry = { seq: state.seq + 1, at: around.now, ...draft };
    apply(state, entry);
    this.entries.push(entry);
    const frame = entry.nodeId ? frameAt(state, entry.path) : undefined;
    if (frame?.parent) this.lastOf.set(frame, entry);
  }

  addStep(frame: Frame, draft: Draft & { nodeId: string }): void {
    this.add({ ...draft, ...addressIn(frame, draft.nodeId) });
  }

  /** The last entry of an item in this turn. */
  lastEntry(frame: Frame): StepEntry | undefined {
    return this.lastOf.get(frame);
  }

  start(frame: Frame, nodeId: string, message?: string): void {
    const attempt = (frame.nodes.get(nodeId)?.attempt ?? 0) + 1;
    this.addStep(frame, { event: "step.started", nodeId, attempt, ...(message && { message }) });
  }

  settle(frame: Frame, draft: Draft & { nodeId: string }): void {
    const node = draft.event === "step.completed" && frame.parent ? this.nodeOf(draft.nodeId) : undefined;
    const undoable = node && isUndoable(node) ? { undoable: true as const } : {};
    this.addStep(frame, { attempt: frame.nodes.get(draft.nodeId)?.attempt, ...draft, ...undoable });
    this.touch(frame, draft.nodeId);
  }

  /** Marks a frame for planning. */
  touch(frame: Frame, nodeId: string): void {
    const known = this.touched.get(frame);
    if (known === null) return;
    this.touched.set(frame, (known ?? new Set()).add(nodeId));
  }

  touchMap(frame: Frame, nodeId: string): void {
    this.maps.set(frame, (this.maps.get(frame) ?? new Set()).add(nodeId));
  }

  /** Marks everything for planning, regardless of what settled last. */
  touchAll(): void {
    for (const frame of this.frames()) {
      this.touched.set(frame, null);
      for (const [nodeId, { map }] of frame.nodes) if (map) this.touchMap(frame, nodeId);
    }
  }

  /** Ends the run with an error. Finished steps that have a compensation are undone first. */
  fail(error: ExecutionError): void {
    if (this.isOver) return;
    if (this.state.undoing) return this.endUndone();
    if (!hasToUndo(this.graph, this.state)) return this.add({ event: "execution.failed", error });
    this.add({ event: "execution.compensating", error, needs: NEEDS_COMPENSATIONS });
    this.gaveUp = true;
  }

  /** Ends the run after its compensations. */
  endUndone(): void {
    const { graph, state } = this;
    this.add({ event: "execution.compensated", compensation: outcomeOf(graph, state) });
    const { undoing } = state;
    if (undoing?.cancelled) this.add({ event: "execution.cancelled" });
    else if (undoing?.error) this.add({ event: "execution.failed", error: undoing.error });
  }

  /** Begins the next compensation, unless one is in progress. After the last one, the run ends. */
  undoNext(): void {
    const { graph, state } = this;
    const { undoing } = state;
    if (!undoing || isActive(undoing.at?.frame.nodes.get(undoing.at.nodeId))) return;
    const next = nextToUndo(graph, state, undoing);
    if (next) this.start(next.frame, next.node.compensation.id, `Undoes the step "${next.node.id}".`);
    else this.endUndone();
  }

  /** Whether compensations run in the frame: the run undoes its steps, and the frame is the run's own or has ended. */
  undoesIn(frame: Frame): boolean {
    return this.state.undoing !== null && (!frame.parent || isPast(frame));
  }

  /** The frames in which steps run or may run. */
  frames(): Iterable<Frame> {
    return runningFrames(this.state);
  }

  /** Continues after a question was answered or given up. */
  resume(): void {
    if (this.state.status === "suspended") this.add({ event: "execution.resumed" });
  }

  graphOf(frame: Frame): Graph {
    const map = frame.path.at(-1);
    return (map && this.graph.byId.get(map.nodeId)?.body) ?? this.graph;
  }

  nodeOf(nodeId: string): GraphNode | undefined {
    return this.graph.byId.get(nodeId);
  }

  /** Milliseconds since the start of a step. */
  since(node: NodeState): number {
    return this.sinceTime(node.startedAt);
  }

  /** Milliseconds since a time in ISO 8601. */
  sinceTime(time: string): number {
    return Math.max(0, Date.parse(this.around.now) - Date.parse(time));
  }
}

const full = (): ExecutionError => ({
  code: "journal_full",
  message: `The run reached the limit of ${MAX_ENTRIES.toLocaleString("en")} log entries. Move parts of it to subworkflows.`,
});
