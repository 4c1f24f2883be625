import { AppError } from "../../contracts/errors.ts";

const MAX_WAITING = 2_000;
/** Callers give up after 10 seconds: who has waited for most of it is sent away instead of served in vain. */
const MAX_WAIT_MS = 5_000;

/**
 * Lets so much work through at the same time, the rest in its order behind it. What follows begins in a later turn of the event
 * loop: where a store reads without waiting, a queue would else be worked off in one, before anybody else is heard.
 */
export class AtOnce {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Rejects with what the work throws, and with `unavailable` where too much waits already, or its turn comes too late. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.#running < this.#max) this.#running++;
    else {
      if (this.#waiting.length >= MAX_WAITING) throw new AppError("unavailable");
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    try {
      if (performance.now() - since > MAX_WAIT_MS) throw new AppError("unavailable");
      return await work();
    } finally {
      setImmediate(() => this.#leave());
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
