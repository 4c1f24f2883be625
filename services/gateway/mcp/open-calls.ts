import { AppError } from "../../../contracts/errors.ts";

/** Of one user, or of one API key: each may wait for a run for up to a minute. */
const MAX_OPEN = 100;
const RETRY_SECONDS = 5;

/** How many requests of each caller are under way here. */
export class OpenCalls {
  readonly #open = new Map<string, number>();

  /** Gives what to call at the request's end. Throws rate_limited. */
  enter(principal: string): () => void {
    const open = this.#open.get(principal) ?? 0;
    if (open >= MAX_OPEN) {
      const detail = `A user or API key can have up to ${MAX_OPEN} requests to /mcp in progress.`;
      throw new AppError("rate_limited", { detail, retryAfterSeconds: RETRY_SECONDS });
    }
    this.#open.set(principal, open + 1);
    return () => {
      const left = (this.#open.get(principal) ?? 1) - 1;
      if (left > 0) this.#open.set(principal, left);
      else this.#open.delete(principal);
    };
  }
}
