import { createFairQueue } from "../processes/fair-queue.ts";
import { ModelError } from "./model-error.ts";

export interface BulkheadLimits {
  /** Maximum number of calls under way. */
  concurrency: number;
  /** Maximum number of waiting calls, a quarter of it per group. Further calls are refused. */
  maxQueue: number;
}

interface Waiting {
  start(): void;
}

/**
 * Limits concurrent calls and lets groups take turns, so that a slow model costs neither memory nor other groups'
 * turns.
 */
export class Bulkhead {
  readonly #limits: BulkheadLimits;
  readonly #queue;
  #running = 0;

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
    this.#queue = createFairQueue<Waiting>(limits.maxQueue);
  }

  async run<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running++;
    else await this.#turn(group, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next.start();
      else this.#running--;
    }
  }

  #turn(group: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        this.#queue.remove(group, waiting);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return leave();
      if (!this.#queue.push(group, waiting)) {
        return reject(new ModelError("model_unavailable", "Too many calls wait for the model: try again later"));
      }
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
