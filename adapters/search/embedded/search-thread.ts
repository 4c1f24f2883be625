import { Worker } from "node:worker_threads";
import { SearchBusyError, SearchTimeoutError, SearchUnavailableError } from "../errors.ts";
import type { Questions, SearchReply, ThreadSettings } from "./protocol.ts";

export interface ThreadLimits {
  maxWaiting: number;
  timeoutMs: number;
}

export const THREAD_LIMITS: ThreadLimits = { maxWaiting: 1000, timeoutMs: 10_000 };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The caller's side of the search thread, which keeps searches off the event loop. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #gone: SearchUnavailableError | null = null;

  constructor(settings: ThreadSettings, limits = THREAD_LIMITS) {
    this.#limits = limits;
    this.#worker = new Worker(new URL("./search-worker.ts", import.meta.url), { workerData: settings });
    this.#worker.on("message", (answered: SearchReply) => this.#settle(answered));
    this.#worker.on("error", error => this.#fail(`the search thread failed: ${String(error)}`));
    this.#worker.on("exit", () => this.#fail("the search thread has ended"));
  }

  /**
   * Asks the thread.
   * @throws {SearchBusyError} when too many questions wait.
   * @throws {SearchTimeoutError} when the answer is late.
   * @throws {SearchUnavailableError} when the thread fails or has ended.
   */
  ask<Q extends keyof Questions>(to: Q, asks: Questions[Q]["asks"]): Promise<Questions[Q]["answer"]> {
    if (this.#gone) return Promise.reject(this.#gone);
    if (this.#waiting.size >= this.#limits.maxWaiting) return Promise.reject(new SearchBusyError());
    const n = ++this.#last;
    const { timeoutMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<Questions[Q]["answer"]>();
    const timer = setTimeout(() => {
      this.#waiting.delete(n);
      reject(new SearchTimeoutError());
    }, timeoutMs);
    this.#waiting.set(n, { resolve: resolve, reject, timer });
    this.#worker.postMessage({ to, asks, n, deadline: Date.now() + timeoutMs });
    return promise;
  }

  /** Lets the thread finish its questions within the time limit of a question, then ends it. */
  async close(): Promise<void> {
    if (this.#gone) return;
    const exited = new Promise<void>(resolve => this.#worker.once("exit", () => resolve()));
    try {
      await this.ask("close", null);
      await exited;
    } catch {
      await this.#worker.terminate();
    }
    this.#fail("the search index is closed");
  }

  #settle(answered: SearchReply): void {
    const waiting = this.#waiting.get(answered.n);
    if (!waiting) return;
    this.#waiting.delete(answered.n);
    clearTimeout(waiting.timer);
    if ("failure" in answered) waiting.reject(new SearchUnavailableError(answered.failure));
    else waiting.resolve(answered.answer);
  }

  #fail(message: string): void {
    if (this.#gone) return;
    this.#gone = new SearchUnavailableError(message);
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(this.#gone);
    }
    this.#waiting.clear();
  }
}
