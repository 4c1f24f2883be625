export interface Verdict {
  allowed: boolean;
  /** The largest burst. */
  limit: number;
  /** The tokens that are left. */
  remaining: number;
  /** The seconds until the bucket is full again. */
  resetSeconds: number;
  /** The seconds until the next token, or 0 when one is available. */
  retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * One token bucket per key (Turner, "New directions in communications", 1986). A bucket holds `capacity` tokens and
 * gains `perSecond`. Above `maxKeys`, the bucket that was idle for longest is dropped, which is closest to full.
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
   * Takes a token if there is one. With `tokens` 0 it only reports whether there is one. `now` is in milliseconds of a
   * monotonic clock.
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

  /** A map keeps the order of insertion, so the first key is the one that was idle for longest. */
  #keep(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size <= this.#maxKeys) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
