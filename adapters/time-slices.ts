import { setImmediate as nextTurn } from "node:timers/promises";

/** Other work gets a turn of the event loop after this time. */
const TURN_MS = 10;

/** Splits long work. The work awaits `next` after each small piece. */
export class TimeSlices {
  readonly #now: () => number;
  #since: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Lets other work run when the own turn is over. */
  next(): Promise<void> | undefined {
    if (this.#now() - this.#since < TURN_MS) return undefined;
    return nextTurn().then(() => {
      this.#since = this.#now();
    });
  }
}

/** The result of work that yields between its steps. Other work gets turns in between. */
export async function inSlices<T>(steps: Generator<void, T>, turns = new TimeSlices()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = turns.next();
    if (turn) await turn;
  }
}

/** The results of `make` for all items. Other work gets turns in between. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T, at: number) => R,
  turns = new TimeSlices(),
): Promise<R[]> {
  const made: R[] = [];
  for (const [at, item] of items.entries()) {
    made.push(make(item, at));
    const turn = turns.next();
    if (turn) await turn;
  }
  return made;
}
