interface Kept<Value> {
  value: Value;
  /** In milliseconds of a monotonic clock. */
  usedAt: number;
}

/**
 * Keeps secret values in memory for a short time: at most `max` of them, and each for at most `ms` milliseconds after
 * its last use. The least recently used value is evicted first.
 */
export class ShortLivedMap<Value> {
  readonly #values = new Map<string, Kept<Value>>();
  readonly #max: number;
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ max, ms }: { max: number; ms: number }) {
    this.#max = max;
    this.#ms = ms;
  }

  get size(): number {
    return this.#values.size;
  }

  /** Returns the value and restarts its time. */
  get(key: string): Value | undefined {
    const kept = this.#values.get(key);
    if (kept) this.set(key, kept.value);
    return kept?.value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, { value, usedAt: performance.now() });
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest);
    if (this.#timer === undefined) this.#dropIn(this.#ms);
  }

  /** Removes and returns a value. */
  take(key: string): Value | undefined {
    const kept = this.#values.get(key);
    this.#values.delete(key);
    return kept?.value;
  }

  #dropIn(ms: number): void {
    this.#timer = setTimeout(() => this.#drop(), ms).unref();
  }

  /** The values are in the order of their last use, so the first recent one ends the search. */
  #drop(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [key, { usedAt }] of this.#values) {
      const leftMs = usedAt + this.#ms - now;
      if (leftMs > 0) {
        this.#dropIn(leftMs);
        return;
      }
      this.#values.delete(key);
    }
  }
}
