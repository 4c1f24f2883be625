import type { StepEntry } from "../../../core/run/entry.ts";
import { keyOf, nodeAt, type Address } from "../../../core/run/frame.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import type { Abort } from "./abort.ts";

/** A step that this worker performs. */
export interface LiveStep {
  at: Address;
  attempt: number;
  abort: Abort;
  /** True when later reports of the step are ignored. */
  over: boolean;
}

/**
 * Tells a step that its report is not in the journal, because the step was cut off. Its next performance continues from
 * the records that are in the journal.
 */
export class CutOffError extends Error {
  constructor() {
    super("The step was cut off.");
    this.name = "CutOffError";
  }
}

/** Whether an entry may give up steps that are performed. */
export const givesUp = ({ event }: Pick<StepEntry, "event">): boolean =>
  event === "step.failed" || event === "execution.compensating";

interface Unwritten {
  step: LiveStep;
  written: () => void;
  cutOff: (error: CutOffError) => void;
}

/** The steps that this worker performs for one run, and their reports that are not in the journal yet. */
export class LiveSteps {
  private readonly performing = new Map<string, LiveStep>();
  private said: Unwritten[] = [];

  get isEmpty(): boolean {
    return this.performing.size === 0;
  }

  /** Whether this attempt of a step is performed at the moment. */
  performs(at: Address, attempt: number): boolean {
    return this.performing.size > 0 && this.performing.get(keyOf(at))?.attempt === attempt;
  }

  add(step: LiveStep): void {
    this.performing.set(keyOf(step.at), step);
  }

  /** Ends a step. Returns false where the step was over already. */
  end(step: LiveStep): boolean {
    const { over } = step;
    step.over = true;
    const key = keyOf(step.at);
    if (this.performing.get(key) === step) this.performing.delete(key);
    return !over;
  }

  /** Aborts the steps that no longer run according to the journal. */
  abortOthers(state: RunState): void {
    for (const step of this.performing.values()) if (nodeAt(state, step.at)?.status !== "running") this.cut(step);
  }

  abortAll(): void {
    for (const step of this.performing.values()) this.cut(step);
    this.settle(this.takeSaid(), false);
  }

  private cut(step: LiveStep): void {
    this.end(step);
    step.abort.abort();
  }

  /**
   * Resolves when the current report of the step is stored.
   * @throws {CutOffError} when it will never be stored
   */
  untilWritten(step: LiveStep): Promise<void> {
    return new Promise((written, cutOff) => this.said.push({ step, written, cutOff }));
  }

  /** Takes the reports since the last call. The caller settles them once they are written. */
  takeSaid(): Unwritten[] {
    return this.said.splice(0);
  }

  settle(said: Unwritten[], isWritten: boolean): void {
    for (const { step, written, cutOff } of said) {
      if (isWritten && !step.over) written();
      else cutOff(new CutOffError());
    }
  }

  /** After an append: lets each step that reported something go on, unless the step or the run is over. */
  settleBy(said: Unwritten[], { status }: RunState): void {
    this.settle(said, !isFinal(status));
  }
}
