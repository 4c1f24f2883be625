import { setImmediate as nextTurn } from "node:timers/promises";
import { TimeSlices } from "../../../adapters/time-slices.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import { isPure } from "../../../core/graph/node-types.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import type { StepEntry, StepResult } from "../../../core/run/entry.ts";
import { nodeAt, type Address } from "../../../core/run/frame.ts";
import { charsOf } from "../../../core/run/step-limits.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { Abort } from "./abort.ts";
import { CutOffError, LiveSteps, type LiveStep } from "./live-steps.ts";
import type { RunObserver } from "./observer.ts";
import type { EngineParts } from "./parts.ts";
import { performAt, resultOf, type RunInfo } from "./perform-at.ts";
import type { LiveReport } from "./step-view.ts";

/**
 * Limits what a run does in memory before it appends: elapsed time in ms, entries, and the length of outputs as JSON.
 */
const MOST_AHEAD = { ms: 5, entries: 400, chars: 1_048_576 };

/** The parts of the run that its steps need. */
export interface PerformedRun {
  readonly doc: ExecutionDoc;
  readonly state: RunState;
  readonly graph: WorkflowGraph;
  readonly about: RunInfo;
  readonly parts: EngineParts;
  readonly observer: RunObserver;
  readonly hasLeft: boolean;
  /** Handles the results and reports of steps. */
  drive(inputs: RunInput[]): Promise<void>;
}

/** Performs the steps of one held run. Their results go to the run. */
export class Performing {
  readonly live = new LiveSteps();
  readonly #run: PerformedRun;
  /** The length of the outputs since `goAhead` last began. */
  #chars = 0;

  constructor(run: PerformedRun) {
    this.#run = run;
  }

  /**
   * Performs the steps that these entries started, except those that already run. A run may start thousands of steps at
   * once, so other work gets turns in between.
   */
  async launch(entries: readonly StepEntry[]): Promise<void> {
    const turns = new TimeSlices();
    for (const { at, attempt } of this.#started(entries)) {
      void this.#perform(at, attempt);
      const turn = turns.next();
      if (turn) await turn;
    }
  }

  /**
   * Performs the pure steps that these entries started, before the entries are stored. A pure step has no external
   * effect, so it can be repeated after a crash. Each time the run has inputs, `takeIn` handles them and returns the
   * resulting entries. Ends when only other steps are left, when a pure step has not ended within this turn of the
   * event loop, or when a bound is reached.
   */
  async goAhead(entries: readonly StepEntry[], hasInputs: () => boolean, takeIn: () => StepEntry[]): Promise<void> {
    const until = performance.now() + MOST_AHEAD.ms;
    let turned: Promise<void> | undefined;
    let made = entries.length;
    this.#chars = 0;
    const isOver = () => performance.now() >= until || this.#chars >= MOST_AHEAD.chars;
    for (let begun = entries; made < MOST_AHEAD.entries && !isOver();) {
      const pending: Promise<void>[] = [];
      for (const { at, attempt } of this.#started(begun)) {
        const node = this.#run.graph.byId.get(at.nodeId);
        if (!node || !isPure(node)) continue;
        const ended = this.#perform(at, attempt);
        if (ended) pending.push(ended);
        if (isOver()) break;
      }
      if (!hasInputs() && pending.length > 0) await Promise.race([...pending, (turned ??= nextTurn())]);
      if (!hasInputs()) return;
      begun = takeIn();
      made += begun.length;
    }
  }

  /** The steps that these entries started and that are running according to the journal, but not yet performed here. */
  *#started(entries: readonly StepEntry[]): Generator<{ at: Address; attempt: number }> {
    const { state } = this.#run;
    for (const { event, nodeId, path, attempt } of entries) {
      if (event !== "step.started" || nodeId === undefined) continue;
      if (this.#run.hasLeft || isFinal(state.status)) return;
      const at = { nodeId, path };
      const node = nodeAt(state, at);
      if (node?.status === "running" && node.attempt === attempt && !this.live.performs(at, attempt))
        yield { at, attempt };
    }
  }

  /** Returns a promise for the end of the step, or undefined if the step ended at once. */
  #perform(at: Address, attempt: number): Promise<void> | undefined {
    const { graph, state, doc, parts, about, observer } = this.#run;
    if (parts.isStopping()) return undefined;
    const step: LiveStep = { at, attempt, abort: new Abort(), over: false };
    const started = performance.now();
    const act = () =>
      performAt({ graph, state, doc, parts, about, report: said => this.#report(step, said) }, at, step.abort);
    const result = observer.step(at, act);
    if (!result) return undefined;
    const settle = (settled: StepResult) => {
      if (settled.kind === "done") this.#chars += charsOf(settled.output);
      return resultOf(at, settled, performance.now() - started);
    };
    if (!(result instanceof Promise)) {
      void this.#run.drive([settle(result)]);
      return undefined;
    }
    this.live.add(step);
    return result.then(settled => {
      // The result of an aborted step is ignored: the run was cancelled or is handed over.
      if (this.live.end(step) && !this.#run.hasLeft) void this.#run.drive([settle(settled)]);
    });
  }

  /**
   * Appends a step's report. Resolves when it is stored.
   * @throws {CutOffError} when the step is cut off
   */
  #report(step: LiveStep, said: LiveReport): Promise<void> {
    const { at, attempt, over } = step;
    if (this.#run.hasLeft || over) return Promise.reject(new CutOffError());
    const written = this.live.untilWritten(step);
    void this.#run.drive([{ kind: "report", report: { ...at, attempt, ...said } }]);
    return written;
  }
}
