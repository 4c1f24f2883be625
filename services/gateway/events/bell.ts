/** Wakes one waiter, early or in time. A ring that nobody waits for is kept for the next. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, at once where one is kept, and at the latest after `ms`. */
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
