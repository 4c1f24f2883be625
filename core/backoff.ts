/** Delays between tries that double from `firstMs` up to `mostMs`, in milliseconds. */
export interface Backoff {
  firstMs: number;
  mostMs: number;
  /**
   * The smallest and the largest share of the delay that chance chooses between, so that callers which failed together
   * do not try again together. Without it, chance has no part.
   */
  spread?: readonly [number, number];
}

/** Keeps a delay finite, however often something failed. */
const MAX_DOUBLINGS = 30;

/** The delay after this many failures in a row, in milliseconds. `random` is from 0 to 1. */
export function backoffMs({ firstMs, mostMs, spread: [low, high] = [1, 1] }: Backoff, failures: number, random = 0) {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.min(firstMs * 2 ** doublings, mostMs) * (low + random * (high - low));
}

/** For a server that is away ("equal jitter": Exponential Backoff And Jitter, AWS Architecture Blog, 2015). */
export const SERVER_AWAY: Backoff = { firstMs: 250, mostMs: 5_000, spread: [0.5, 1] };
