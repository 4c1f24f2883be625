import { Worker } from "node:worker_threads";
import type { ThreadSettings } from "./protocol.ts";

/** The thread that keeps the write-ahead log short. `onLong` is told while it stays long because writes never pause. */
export class Checkpointer {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** Why it ended by itself, or null. */
  failure: Error | null = null;

  constructor(settings: ThreadSettings, onLong: () => void) {
    this.#worker = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), { workerData: settings });
    this.#worker.on("message", onLong);
    this.#worker.on("error", error => (this.failure = error instanceof Error ? error : new Error(String(error))));
    this.#ended = new Promise(resolve => this.#worker.once("exit", () => resolve()));
    this.#worker.unref();
  }

  async stop(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage("stop");
    await this.#ended;
  }
}
