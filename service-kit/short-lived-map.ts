interface Kept<Value> {
  value: Value;
  /** Milliseconds of a clock that only goes forward. */
  usedAt: number;
}

/**
 * Keeps values that hold secrets for a short time in memory: at most `max` of them, and none that was not used for `ms`
 * milliseconds. The least recently used one leaves first.
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

  /** Removes a value and gives it. */
  take(key: string): Value | undefined {
    const kept = this.#values.get(key);
    this.#values.delete(key);
    return kept?.value;
  }

  #dropIn(ms: number): void {
    this.#timer = setTimeout(() => this.#drop(), ms).unref();
  }

  /** The values are in the order of their last use, so the first one that is young ends the search. */
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
