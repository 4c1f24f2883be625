export interface Verdict {
  allowed: boolean;
  /** The most that can be asked at once. */
  limit: number;
  /** What can still be asked now. */
  remaining: number;
  /** Until the whole limit is there again. */
  resetSeconds: number;
  /** Until one more can be asked; 0 when it can be now. */
  retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket a key (Turner, "New directions in communications", 1986): it holds `capacity` and gains `perSecond`.
 * Of more than `maxKeys` the one that rested longest is forgotten, which is the one nearest to full.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #maxKeys: number;

  constructor(capacity: number, perSecond: number, maxKeys = 50_000) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one token if there is one; with `tokens` 0 it only says whether there is.
   * `now` is in milliseconds of any clock that does not go back.
   */
  take(key: string, now: number, tokens: 0 | 1 = 1): Verdict {
    const bucket = this.#buckets.get(key) ?? { tokens: this.#capacity, at: now };
    bucket.tokens = Math.min(this.#capacity, bucket.tokens + ((now - bucket.at) / 1_000) * this.#perSecond);
    bucket.at = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= tokens;
    if (tokens > 0) this.#keep(key, bucket);
    return {
      allowed,
      limit: this.#capacity,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((this.#capacity - bucket.tokens) / this.#perSecond),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond)),
    };
  }

  /** A map remembers the order of insertion, so the first key is the one that rested longest. */
  #keep(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size <= this.#maxKeys) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
