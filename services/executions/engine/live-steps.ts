import { keyOf, nodeAt, type Address } from "../../../core/run/frame.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import type { Abort } from "./abort.ts";

/** A step that is performed here. */
export interface LiveStep {
  at: Address;
  attempt: number;
  abort: Abort;
  /** Whatever it still says is not listened to. */
  over: boolean;
}

/** What a step has said is in no journal: it was cut off, and another performance of it goes on from the one before. */
export class CutOffError extends Error {
  constructor() {
    super("The step was cut off.");
    this.name = "CutOffError";
  }
}

interface Unwritten {
  step: LiveStep;
  written: () => void;
  cutOff: (error: CutOffError) => void;
}

/** The steps that are performed here for one run, and what they have said that is not in the journal yet. */
export class LiveSteps {
  private readonly performing = new Map<string, LiveStep>();
  private said: Unwritten[] = [];

  get isEmpty(): boolean {
    return this.performing.size === 0;
  }

  add(step: LiveStep): void {
    this.performing.set(keyOf(step.at), step);
  }

  /** Whether it was listened to until now. */
  end(step: LiveStep): boolean {
    const { over } = step;
    step.over = true;
    const key = keyOf(step.at);
    if (this.performing.get(key) === step) this.performing.delete(key);
    return !over;
  }

  /** Aborts those that no longer run by the journal. */
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

  /** Resolves when what the step says now is on disk; rejects with CutOffError where that will never be. */
  untilWritten(step: LiveStep): Promise<void> {
    return new Promise((written, cutOff) => this.said.push({ step, written, cutOff }));
  }

  /** What was said since the last time, to be settled once it is written. */
  takeSaid(): Unwritten[] {
    return this.said.splice(0);
  }

  settle(said: Unwritten[], isWritten: boolean): void {
    for (const { step, written, cutOff } of said) {
      if (isWritten && !step.over) written();
      else cutOff(new CutOffError());
    }
  }

  /** After an append: who said something of it goes on, if its step still does. */
  settleBy(said: Unwritten[], { status }: RunState): void {
    this.settle(said, !isFinal(status));
  }
}
