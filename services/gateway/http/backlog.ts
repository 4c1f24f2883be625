import type { ServerResponse } from "node:http";

/**
 * Limits all unread responses of this process together. A disconnected client loses no data, because it can repeat its
 * request.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/** Counts the bytes that were written to clients but not yet read by them, over all responses of a process. */
export class Backlog {
  readonly #maxBytes: number;
  /** Ordered: the client that has waited longest comes first. */
  readonly #held = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Records how many bytes a client has yet to read. When the total exceeds the limit, the clients that have not read
   * for longest are disconnected.
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

  /** Called when the client has read everything, or is gone. */
  release(res: ServerResponse): void {
    this.#bytes -= this.#held.get(res) ?? 0;
    this.#held.delete(res);
  }
}

/** The backlog of this process. */
export const backlog = new Backlog(MAX_BYTES);
