import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import type { StepEntry } from "./entry.ts";
import { addressIn, frameAt, framesWithin, type Frame, type NodeState } from "./frame.ts";
import { apply } from "./fold.ts";
import { isFinal, type RunState } from "./state.ts";

/** The most entries of one journal. A run that would exceed them fails, so that no loop fills the store. */
export const MAX_ENTRIES = 50_000;

/** What the rules depend on and must not find out by themselves. */
export interface Surroundings {
  /** ISO 8601. */
  now: string;
  /** From [0, 1), for jitter. */
  random: number;
}

type Draft = Omit<StepEntry, "seq" | "at">;

const FINAL = new Set(["execution.completed", "execution.failed", "execution.cancelled"]);

/** One move of a run: the entries that it leads to. Each entry is applied to the state at once. */
export class Turn {
  readonly entries: StepEntry[] = [];
  /** The frames to plan, with the nodes that settled in them; null to plan the whole frame. */
  readonly touched = new Map<Frame, Set<string> | null>();
  /** The maps that may start items, or have ended, by frame. */
  readonly maps = new Map<Frame, Set<string>>();
  private readonly lastOf = new Map<Frame, StepEntry>();
  readonly graph: Graph;
  readonly state: RunState;
  readonly around: Surroundings;

  constructor(graph: Graph, state: RunState, around: Surroundings) {
    this.graph = graph;
    this.state = state;
    this.around = around;
  }

  get isOver(): boolean {
    return isFinal(this.state.status);
  }

  /** Adds an entry, unless the run has ended. */
  add(draft: Draft): void {
    if (this.isOver) return;
    const { state, around } = this;
    const fits = state.seq + 1 < MAX_ENTRIES || FINAL.has(draft.event);
    const entry: StepEntry = { seq: state.seq + 1, at: around.now, ...(fits ? draft : full()) };
    apply(state, entry);
    this.entries.push(entry);
    const frame = fits && entry.nodeId ? frameAt(state, entry.path) : undefined;
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
    this.addStep(frame, { attempt: frame.nodes.get(draft.nodeId)?.attempt, ...draft });
    this.touch(frame, draft.nodeId);
  }

  private touch(frame: Frame, nodeId: string): void {
    const known = this.touched.get(frame);
    if (known === null) return;
    this.touched.set(frame, (known ?? new Set()).add(nodeId));
  }

  touchMap(frame: Frame, nodeId: string): void {
    this.maps.set(frame, (this.maps.get(frame) ?? new Set()).add(nodeId));
  }

  /** Marks everything to be planned anew, regardless of what settled last. */
  touchAll(): void {
    for (const frame of framesWithin(this.state)) {
      this.touched.set(frame, null);
      for (const [nodeId, { map }] of frame.nodes) if (map) this.touchMap(frame, nodeId);
    }
  }

  fail(error: ExecutionError): void {
    this.add({ event: "execution.failed", error });
  }

  /** Goes on after a question was answered or given up. */
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

  /** Milliseconds since a step was started. */
  since(node: NodeState): number {
    return this.sinceTime(node.startedAt);
  }

  /** Milliseconds since a time in ISO 8601. */
  sinceTime(time: string): number {
    return Math.max(0, Date.parse(this.around.now) - Date.parse(time));
  }
}

const full = (): Draft => ({
  event: "execution.failed",
  error: {
    code: "journal_full",
    message: `The run reached the limit of ${MAX_ENTRIES.toLocaleString("en")} log entries. Move parts of it to subworkflows.`,
  },
});
