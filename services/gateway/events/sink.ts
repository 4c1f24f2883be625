import type { ServerResponse } from "node:http";
import { backlog } from "../http/backlog.ts";

/** A client that reads nothing for this long is disconnected. */
const DRAIN_MS = 30_000;

/** Writes to a response at the speed at which the client reads. */
export class Sink {
  readonly #res: ServerResponse;
  #lastWrite = performance.now();

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  get open(): boolean {
    return !this.#res.destroyed && !this.#res.writableEnded;
  }

  /** The milliseconds since the last write. */
  get quietMs(): number {
    return performance.now() - this.#lastWrite;
  }

  end(): void {
    if (this.#res.headersSent) this.#res.end();
  }

  /** Resolves when more can be written, or when the client is gone. */
  async write(text: string): Promise<void> {
    if (!this.open || text === "") return;
    this.#lastWrite = performance.now();
    if (this.#res.write(text)) return;
    await new Promise<void>(resolve => {
      const settle = () => {
        clearTimeout(timer);
        backlog.release(this.#res);
        this.#res.off("drain", settle).off("close", settle);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#res.destroy();
        settle();
      }, DRAIN_MS);
      this.#res.on("drain", settle).on("close", settle);
      backlog.hold(this.#res, text.length);
    });
  }
}
