/**
 * Wakes one waiter, when it rings or after the waiter's time limit. A ring without a waiter is kept for the next one.
 */
export class WakeUp {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, at once if a ring is kept, or after `ms` at the latest. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
