import type { ServerResponse } from "node:http";

/** What clients make this process keep for them. A client that is given up for it loses nothing: it asks again. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What was written to clients that have not taken it yet, of all answers of a process together. */
export class Backlog {
  readonly #maxBytes: number;
  /** Who has waited longest comes first. */
  readonly #held = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The client has so much to take. Where that is too much with all others, those go that have not taken theirs for longest. */
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

  /** The client has taken it, or is gone. */
  release(res: ServerResponse): void {
    this.#bytes -= this.#held.get(res) ?? 0;
    this.#held.delete(res);
  }
}

/** That of this process. */
export const backlog = new Backlog(MAX_BYTES);
