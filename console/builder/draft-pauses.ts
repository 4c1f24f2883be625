/** The time from an edit until the draft is sent to the service. */
export const DRAFT_PAUSE_MS = 5_000;
const LONGEST_MS = 60_000;

/** The pauses before a draft is sent again that did not reach the service. */
export class DraftPauses {
  /** How many times in a row it did not arrive. */
  #failures = 0;
  #atOnce = false;

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** A draft is about to be sent. */
  begin(): void {
    this.#atOnce = false;
  }

  /** The service may have become available while a draft is being sent. If that draft fails, the next try is at once. */
  skip(): void {
    this.#atOnce = true;
  }

  /** Something has reached the service. */
  reset(): void {
    this.#failures = 0;
  }

  /** The draft did not arrive. Returns the milliseconds until the next try: twice as many each time. */
  next(): number {
    this.#failures++;
    return this.#atOnce ? 0 : Math.min(DRAFT_PAUSE_MS * 2 ** this.#failures, LONGEST_MS);
  }
}
