/** Delays between tries that double from `firstMs` up to `mostMs`, in milliseconds. */
export interface Backoff {
  firstMs: number;
  mostMs: number;
  /**
   * The smallest and the largest share of the delay. The actual share is random in between, so callers that failed
   * together do not retry together. Without `spread`, delays are not random.
   */
  spread?: readonly [number, number];
}

/** Keeps a delay finite after any number of failures. */
const MAX_DOUBLINGS = 30;

/** The delay in milliseconds after this many failures in a row. `random` is from 0 to 1. */
export function backoffMs({ firstMs, mostMs, spread: [low, high] = [1, 1] }: Backoff, failures: number, random = 0) {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.min(firstMs * 2 ** doublings, mostMs) * (low + random * (high - low));
}

/** For a server that is unavailable ("equal jitter": Exponential Backoff And Jitter, AWS Architecture Blog, 2015). */
export const SERVER_UNAVAILABLE: Backoff = { firstMs: 250, mostMs: 5_000, spread: [0.5, 1] };
