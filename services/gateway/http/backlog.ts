import type { ServerResponse } from "node:http";

/**
 * The bound of all unread answers in this process. A client that is disconnected for it loses nothing: it asks again.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/** The bytes that were written to clients but not yet read by them, over all answers of a process. */
export class Backlog {
  readonly #maxBytes: number;
  /** The client that has waited longest comes first. */
  readonly #held = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Notes how many bytes a client has yet to read. When the total exceeds the bound, the clients that have not read for
   * longest are disconnected.
   */
  hold(res: ServerResponse, bytes: number): void {
    this.release(res);
    this.#held.set(res, bytes);
    this.#bytes += bytes;
    for (const [slowest] of this.#held) {
      if (this.#bytes <= this.#maxBytes) return;
      this.release(slowest);
      slowest.destroy();
    }
  }

  /** The client has read everything, or is gone. */
  release(res: ServerResponse): void {
    this.#bytes -= this.#held.get(res) ?? 0;
    this.#held.delete(res);
  }
}

/** The backlog of this process. */
export const backlog = new Backlog(MAX_BYTES);
