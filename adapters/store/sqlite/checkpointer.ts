import { Worker } from "node:worker_threads";
import type { CheckpointStatus, ThreadSettings } from "./protocol.ts";

/**
 * The thread that keeps the write-ahead log short. `onLong` is called while the log stays long because writes never
 * pause.
 */
export class Checkpointer {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** Why the last checkpoint failed, for example on a full disk, or why the thread ended by itself; else null. */
  failure: Error | null = null;

  constructor(settings: ThreadSettings, onLong: () => void) {
    this.#worker = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), { workerData: settings });
    this.#worker.on("message", (news: CheckpointStatus) => {
      if (news.kind === "long") onLong();
      else this.failure = news.kind === "failing" ? new Error(news.message) : null;
    });
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
