import { AppError } from "../../../contracts/errors.ts";

/** The most open calls of one user or API key. Each may wait for a run for up to a minute. */
const MAX_OPEN = 100;
const RETRY_SECONDS = 5;

/** The number of requests in progress on this node, by caller. */
export class OpenCalls {
  readonly #open = new Map<string, number>();

  /**
   * Returns the function to call at the end of the request.
   * @throws {AppError} rate_limited when too many are open
   */
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
