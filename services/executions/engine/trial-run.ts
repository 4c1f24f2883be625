import { setImmediate as nextTurn } from "node:timers/promises";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import { advance, type KeptEntry, type RunInput } from "../../../core/run/advance.ts";
import type { ChildOutcome } from "../../../core/run/child.ts";
import type { ChildCall, CreatedEntry, StepEntry, StepResult } from "../../../core/run/entry.ts";
import { apply, fold } from "../../../core/run/fold.ts";
import { nodeAt, type Address } from "../../../core/run/frame.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { NOT_MOCKED } from "../../../core/trial/mocked.ts";
import { Abort } from "./abort.ts";
import { deadlineOf, dueInputs } from "./deadline.ts";
import type { Performed } from "./observer.ts";
import { resultOf } from "./perform-at.ts";
import type { LiveReport } from "./step-view.ts";
import { failed } from "./steps/step.ts";

/** The limits for all graphs of one trial together. */
export interface TrialBudget {
  /** The time at which the trial ends, on the scale of `performance.now()`. */
  until: number;
  steps: number;
  /** The length of all outputs as JSON. */
  chars: number;
}

export interface TrialParts {
  graph: WorkflowGraph;
  created: CreatedEntry;
  /** The results of the steps before the first one that runs. */
  kept?: readonly KeptEntry[] | undefined;
  budget: TrialBudget;
  perform(state: RunState, at: Address, report: (said: LiveReport) => Promise<void>, abort: Abort): Performed;
  /** Runs the workflow that a subworkflow step calls. */
  child(call: ChildCall): Promise<ChildOutcome>;
}

const LIMIT = "test_run_limit";
const BEYOND = {
  time: "The test run took too long.",
  steps: "The test run performed too many steps.",
  outputs: "The outputs of the test run are too large together.",
};
/** After this many turns in a row, other work of the process gets its turn. */
const TURNS = 50;

/**
 * Runs a graph by the rules of a stored run, with a journal in memory. When nothing else is left to do, its clock jumps
 * to the next time at which a step is due. So delays and pauses between attempts take no time.
 */
class TrialRun {
  readonly state: RunState;
  readonly entries: StepEntry[] = [];
  readonly #parts: TrialParts;
  readonly #inbox: RunInput[] = [];
  readonly #live = new Set<Abort>();
  /** The number of steps and children that have not ended. */
  #pending = 0;
  #aheadMs = 0;
  #wake: () => void = () => undefined;

  constructor(parts: TrialParts) {
    this.#parts = parts;
    this.state = fold([parts.created]);
  }

  async run(): Promise<void> {
    const late = setTimeout(() => this.#stop("time"), this.#leftMs);
    this.#give({ kind: "begin", kept: this.#parts.kept });
    try {
      for (let turn = 1; !isFinal(this.state.status); turn++) {
        if (turn % TURNS === 0) await nextTurn();
        if (this.#inbox.length > 0) this.#advance();
        else if (this.#pending > 0) await new Promise<void>(resolve => (this.#wake = resolve));
        else if (!this.#jump()) return;
      }
    } finally {
      clearTimeout(late);
      for (const abort of this.#live) abort.abort();
    }
  }

  get #leftMs(): number {
    return Math.max(0, this.#parts.budget.until - performance.now());
  }

  get #now(): string {
    return new Date(Date.now() + this.#aheadMs).toISOString();
  }

  #give(...inputs: RunInput[]): void {
    this.#inbox.push(...inputs);
    this.#wake();
  }

  /** Ends the run at once. Compensations, which the rules would begin or continue, would exceed the limit. */
  #stop(limit: keyof typeof BEYOND): void {
    if (isFinal(this.state.status)) return;
    const error = { code: LIMIT, message: BEYOND[limit] };
    const entry: StepEntry = { seq: this.state.seq + 1, at: this.#now, event: "execution.failed", error };
    apply(this.state, entry);
    this.entries.push(entry);
    this.#wake();
  }

  #advance(): void {
    const { graph, budget } = this.#parts;
    const around = { now: this.#now, random: 0.5 };
    const made = advance(graph, this.state, this.#inbox.splice(0), around);
    // Not a spread: a long list would exceed the arguments of a call.
    for (const entry of made) {
      this.entries.push(entry);
      for (const value of [entry.output, entry.items, entry.input])
        if (typeof value === "string" || typeof value === "object") budget.chars -= JSON.stringify(value).length;
    }
    if (budget.chars < 0) this.#stop("outputs");
    for (const entry of made) if (!isFinal(this.state.status)) this.#follow(entry);
  }

  /** Performs what an entry demands: begins a step or a child. */
  #follow({ event, nodeId, path, attempt, child, calls }: StepEntry): void {
    if (nodeId === undefined) return;
    const at: Address = { nodeId, ...(path && { path }) };
    if (calls && child) return this.#begin(at, child);
    const node = nodeAt(this.state, at);
    if (event === "step.started" && node?.status === "running" && node.attempt === attempt) this.#perform(at, attempt);
  }

  #await<T>(work: Promise<T>, then: (result: T) => void): void {
    this.#pending++;
    void work.then(result => {
      this.#pending--;
      then(result);
      this.#wake();
    });
  }

  #begin(at: Address, child: ChildCall): void {
    const error = { code: "step_crashed", message: "The subworkflow could not be run." };
    const outcome = this.#parts.child(child).catch((): ChildOutcome => ({ status: "failed", error }));
    this.#await(outcome, ended => this.#give({ kind: "child", at, childId: child.id, outcome: ended }));
  }

  #perform(at: Address, attempt: number): void {
    if (--this.#parts.budget.steps < 0) return this.#stop("steps");
    const abort = new Abort();
    const began = performance.now();
    const report = (said: LiveReport) =>
      Promise.resolve(this.#give({ kind: "report", report: { ...at, attempt, ...said } }));
    const end = (result: StepResult) => {
      this.#live.delete(abort);
      this.#give(resultOf(at, this.#shifted(result), performance.now() - began));
      // A missing mock fails the test run even if the step's policy continues after errors.
      if (result.kind === "failed" && result.error.code === NOT_MOCKED)
        this.#give({ kind: "fail", error: { ...result.error, nodeId: at.nodeId } });
    };
    const result = this.#parts.perform(this.state, at, report, abort);
    if (result === undefined) return;
    if (!(result instanceof Promise)) return end(result);
    this.#live.add(abort);
    this.#await(
      result.catch(() => failed("step_crashed", "The step failed without saying why.")),
      end,
    );
  }

  /** A delay in ms starts at the time of this run's clock. */
  #shifted(result: StepResult): StepResult {
    if (result.kind !== "wait" || this.#aheadMs === 0) return result;
    const until = new Date(Date.parse(result.until) + this.#aheadMs).toISOString();
    return { ...result, until };
  }

  /** Sets the clock to the next time at which a step goes on by itself. Returns false if no step does. */
  #jump(): boolean {
    const { graph } = this.#parts;
    const times = [...this.state.waiting.values()].flatMap(({ node }) =>
      node.until !== undefined && (node.waitsFor === "retry" || node.waitsFor === "delay") ? [node.until] : [],
    );
    const deadline = deadlineOf(graph, this.state);
    const [next] = [...times, ...(times.length > 0 && deadline !== null ? [deadline] : [])].sort();
    if (next === undefined) return false;
    this.#aheadMs += Math.max(0, Date.parse(next) - Date.parse(this.#now)) + 1;
    this.#give(...dueInputs(graph, this.state, this.#now));
    return this.#inbox.length > 0;
  }
}

/** Runs a graph in memory until it ends, or until it waits for something that needs an external event. */
export async function runTrial(parts: TrialParts): Promise<{ state: RunState; entries: StepEntry[] }> {
  const run = new TrialRun(parts);
  await run.run();
  return { state: run.state, entries: run.entries };
}
