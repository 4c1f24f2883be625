import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import type { StepEntry, StepResult } from "./entry.ts";
import { plan, runOutput } from "./plan.ts";
import { retryDelay } from "./retry-delay.ts";
import { apply, isFinal, type NodeState, type RunState } from "./state.ts";

/** What came to a run from outside of the rules. */
export type Happening =
  /** It starts; `kept` are the settled nodes of the run that it retries. */
  | { kind: "begin"; kept?: ReadonlyMap<string, NodeState> }
  /** Another worker had it; `lost` when it died with it instead of handing it over. */
  | { kind: "takeover"; lost: boolean }
  | { kind: "result"; nodeId: string; result: StepResult; durationMs: number }
  /** The time of a waiting node has come. */
  | { kind: "due"; nodeId: string }
  | { kind: "answer"; nodeId: string; approved: boolean; data: unknown; respondedBy: string; respondedAt: string }
  /** It cannot go on, whatever its steps do. */
  | { kind: "fail"; error: ExecutionError };

/** Workers that one step may take down with it before its run is given up. */
const MAX_TAKEOVERS = 5;
/** Of several ends together, as JSON: it becomes one entry of the journal. */
const MAX_RUN_OUTPUT_CHARS = 4 * 1_048_576;

/** What the rules may not find out by themselves. */
export interface Surroundings {
  /** ISO 8601. */
  now: string;
  /** From [0, 1), for jitter. */
  random: number;
}

/**
 * Moves a run forward: takes happenings in and gives the journal entries that they lead to, in order. The state given
 * in is moved along; when the entries cannot be appended it is worthless and has to be folded anew.
 */
export function advance(graph: Graph, state: RunState, happenings: Happening[], around: Surroundings): StepEntry[] {
  const run = new Advance(graph, state, around);
  for (const happening of happenings) if (!isFinal(state.status)) run.take(happening);
  if (!isFinal(state.status)) run.goOn();
  return run.entries;
}

class Advance {
  readonly entries: StepEntry[] = [];
  private readonly settled: string[] = [];
  private planAll = false;
  private readonly graph: Graph;
  private readonly state: RunState;
  private readonly around: Surroundings;

  constructor(graph: Graph, state: RunState, around: Surroundings) {
    this.graph = graph;
    this.state = state;
    this.around = around;
  }

  private add(entry: Omit<StepEntry, "seq" | "at">): void {
    const full: StepEntry = { seq: this.state.seq + 1, at: this.around.now, ...entry };
    apply(this.state, full);
    this.entries.push(full);
  }

  take(happening: Happening): void {
    switch (happening.kind) {
      case "begin":
        this.begin(happening.kept);
        break;
      case "takeover":
        this.takeOver(happening.lost);
        break;
      case "result":
        this.result(happening.nodeId, happening.result, happening.durationMs);
        break;
      case "due":
        this.due(happening.nodeId);
        break;
      case "answer":
        this.answer(happening);
        break;
      case "fail":
        this.add({ event: "execution.failed", error: happening.error });
        break;
    }
  }

  private begin(kept: ReadonlyMap<string, NodeState> = new Map()): void {
    this.add({ event: "execution.started" });
    for (const [nodeId, node] of kept) {
      const event = node.status === "skipped" ? "step.skipped" : "step.completed";
      const output = node.status === "skipped" ? {} : { output: node.output, message: "Kept from the run before." };
      this.add({ event, nodeId, handle: node.handle ?? undefined, ...output });
    }
    this.planAll = true;
  }

  private takeOver(lost: boolean): void {
    const { state } = this;
    this.planAll = true;
    if (![...state.nodes.values()].some(node => node.status === "running")) return;
    const from = lost ? "a worker that was lost" : "another worker";
    this.add({ event: "execution.resumed", message: `Taken over from ${from}.`, ...(lost && { lost }) });
    if (state.takeovers > MAX_TAKEOVERS) {
      const message = `${MAX_TAKEOVERS} workers in a row were lost while they ran its steps.`;
      this.add({ event: "execution.failed", error: { code: "worker_lost", message } });
      return;
    }
    for (const [nodeId, node] of state.nodes) if (node.status === "running") this.start(nodeId);
  }

  private start(nodeId: string): void {
    const attempt = (this.state.nodes.get(nodeId)?.attempt ?? 0) + 1;
    this.add({ event: "step.started", nodeId, attempt });
  }

  private settle(entry: Omit<StepEntry, "seq" | "at"> & { nodeId: string }): void {
    this.add({ attempt: this.state.nodes.get(entry.nodeId)?.attempt, ...entry });
    this.settled.push(entry.nodeId);
  }

  private result(nodeId: string, result: StepResult, durationMs: number): void {
    const node = this.state.nodes.get(nodeId);
    if (node?.status !== "running") return;
    if (result.kind === "done") {
      const { output, handle = "out", input } = result;
      this.settle({
        event: "step.completed",
        nodeId,
        output,
        handle,
        durationMs,
        ...(input === undefined ? {} : { input }),
      });
    } else if (result.kind === "wait") {
      this.add({ event: "step.log", nodeId, attempt: node.attempt, until: result.until, output: result.output });
    } else if (result.kind === "ask") {
      const { suspension } = result;
      const until = suspension.expiresAt ?? undefined;
      this.add({ event: "step.log", nodeId, attempt: node.attempt, suspension, until });
    } else {
      this.failed(this.graph.byId.get(nodeId), node, result, durationMs);
    }
  }

  private failed(
    graphNode: GraphNode | undefined,
    node: NodeState,
    { error: { code, message }, retryable = true, input }: Extract<StepResult, { kind: "failed" }>,
    durationMs: number,
  ): void {
    if (!graphNode) return;
    const { id: nodeId, policy } = graphNode;
    const error = { code, message, nodeId };
    const shown = { nodeId, attempt: node.attempt, error, durationMs, ...(input === undefined ? {} : { input }) };
    const delay = retryable ? retryDelay(policy.retry, node.failures + 1, this.around.random) : null;
    if (delay !== null) {
      this.add({
        event: "step.retrying",
        ...shown,
        until: new Date(Date.parse(this.around.now) + delay).toISOString(),
      });
    } else if (policy.onError === "fail") {
      this.add({ event: "step.failed", ...shown });
      this.add({ event: "execution.failed", error });
    } else {
      const handle = policy.onError === "route" ? "error" : "out";
      this.settle({ event: "step.failed", ...shown, handle, output: { error: { code, message } } });
    }
  }

  private resume(): void {
    if (this.state.status === "suspended") this.add({ event: "execution.resumed" });
  }

  private due(nodeId: string): void {
    const node = this.state.nodes.get(nodeId);
    if (node?.status !== "waiting" || !node.until || node.until > this.around.now) return;
    this.resume();
    const durationMs = Math.max(0, Date.parse(this.around.now) - Date.parse(node.startedAt));
    if (node.waitsFor === "retry") this.start(nodeId);
    else if (node.waitsFor === "delay") {
      this.settle({ event: "step.completed", nodeId, output: node.output, handle: "out", durationMs });
    } else this.expire(nodeId, durationMs);
  }

  /** Nobody answered in time: the run leaves by `timeout` where an edge says so, else it fails. */
  private expire(nodeId: string, durationMs: number): void {
    const output = { approved: false, data: null, respondedBy: null, respondedAt: null };
    const handled = this.graph.byId.get(nodeId)?.out.some(edge => edge.handle === "timeout");
    if (handled) {
      this.settle({ event: "step.completed", nodeId, output, handle: "timeout", durationMs });
      return;
    }
    const node = this.state.nodes.get(nodeId);
    const error = { code: "approval_expired", message: "Nobody answered in time." };
    if (node) this.failed(this.graph.byId.get(nodeId), node, { kind: "failed", error, retryable: false }, durationMs);
  }

  private answer({ nodeId, approved, data, respondedBy, respondedAt }: Extract<Happening, { kind: "answer" }>): void {
    const node = this.state.nodes.get(nodeId);
    if (node?.waitsFor !== "answer") return;
    this.resume();
    const durationMs = Math.max(0, Date.parse(this.around.now) - Date.parse(node.startedAt));
    const output = { approved, data, respondedBy, respondedAt };
    this.settle({ event: "step.completed", nodeId, output, handle: approved ? "approved" : "rejected", durationMs });
  }

  private complete(): void {
    const { output, joined } = runOutput(this.graph, this.state);
    if (!joined || JSON.stringify(output).length <= MAX_RUN_OUTPUT_CHARS) {
      this.add({ event: "execution.completed", output });
      return;
    }
    const message = `The outputs of the last steps are together larger than ${MAX_RUN_OUTPUT_CHARS / 1_048_576} MiB.`;
    this.add({ event: "execution.failed", error: { code: "output_too_large", message } });
  }

  /** Starts what is ready, skips what never will be, and ends or suspends the run when nothing else is left to do. */
  goOn(): void {
    const { graph, state } = this;
    const { start, skip } = plan(graph, state, this.planAll ? undefined : this.settled);
    for (const node of skip) this.add({ event: "step.skipped", nodeId: node.id });
    for (const node of start) this.start(node.id);
    if (state.active === 0) return this.complete();
    if (state.status !== "running") return;
    const waits = [...state.nodes.entries()].filter(([, node]) => node.status === "waiting");
    if (waits.length < state.active) return;
    const asked = waits.find(([, node]) => node.waitsFor === "answer");
    if (asked) this.add({ event: "execution.suspended", nodeId: asked[0], suspension: asked[1].suspension });
  }
}
