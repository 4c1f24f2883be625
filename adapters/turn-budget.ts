import { TURN_MS } from "./time-slices.ts";

/**
 * Limits the work that many independent callers do in one turn of the event loop. Callers that do not wait for anything
 * external all run in the turn in which they begin, however many they are. A caller that asks after TURN_MS waits for
 * the next turn. Callers continue in the order in which they asked.
 */
export class TurnBudget {
  readonly #now: () => number;
  /** When the budget of this turn is used up. Null before the first call of a turn. */
  #until: number | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns a promise for a later turn if the budget of this turn is used up, and undefined otherwise. */
  next(): Promise<void> | undefined {
    const now = this.#now();
    this.#until ??= this.#begin(now);
    if (this.#waiting.length === 0 && now < this.#until) return undefined;
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #begin(now: number): number {
    setImmediate(() => void this.#turn());
    return now + TURN_MS;
  }

  async #turn(): Promise<void> {
    this.#until = null;
    if (this.#waiting.length === 0) return;
    const until = (this.#until = this.#begin(this.#now()));
    // Each caller begins its work before the next one is released.
    do {
      this.#waiting.shift()!();
      await Promise.resolve();
    } while (this.#waiting.length > 0 && this.#now() < until);
  }
}
