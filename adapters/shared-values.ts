/**
 * Values that the parts of a process share by key, such as a connection or an open file. The first `acquire` of a key
 * opens its value, and the last `release` closes it.
 */
export class SharedValues<T> {
  readonly #held = new Map<string, { value: Promise<T>; holders: number }>();
  readonly #close: (value: T) => Promise<void>;

  constructor(close: (value: T) => Promise<void>) {
    this.#close = close;
  }

  /**
   * Acquires the value of a key. A second call of the same `release` has no effect. If `open` fails, its error is
   * thrown, and the next call opens again.
   */
  async acquire(key: string, open: () => Promise<T>): Promise<{ value: T; release: () => Promise<void> }> {
    const held = this.#held.get(key) ?? { value: open(), holders: 0 };
    this.#held.set(key, held);
    held.holders++;
    let released = false;
    const release = async (): Promise<void> => {
      if (released) return;
      released = true;
      if (--held.holders > 0) return;
      this.#held.delete(key);
      await this.#close(await held.value);
    };
    try {
      return { value: await held.value, release };
    } catch (error) {
      await release().catch(() => undefined);
      throw error;
    }
  }
}
