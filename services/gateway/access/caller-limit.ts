import { AppError } from "../../../contracts/errors.ts";

const RETRY_SECONDS = 5;

/** Counts what each user or API key has open on this node, and refuses more than `max`. */
export class CallerLimit {
  readonly #open = new Map<string, number>();
  readonly #max: number;
  readonly #detail: string;

  /** `detail` explains the limit to a refused caller. */
  constructor(max: number, detail: string) {
    this.#max = max;
    this.#detail = detail;
  }

  /**
   * Counts one more. Returns the function to call when it closes.
   * @throws {AppError} rate_limited when too many are open
   */
  enter(principal: string): () => void {
    const open = this.#open.get(principal) ?? 0;
    if (open >= this.#max)
      throw new AppError("rate_limited", { detail: this.#detail, retryAfterSeconds: RETRY_SECONDS });
    this.#open.set(principal, open + 1);
    return () => {
      const left = (this.#open.get(principal) ?? 1) - 1;
      if (left > 0) this.#open.set(principal, left);
      else this.#open.delete(principal);
    };
  }
}
