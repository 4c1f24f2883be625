const MAX_DOUBLINGS = 20;
/** The longest pause before the next sync of a failing server, unless the interval is longer. */
const MAX_DELAY_MS = 24 * 3_600_000;
/** A share of the interval, added or subtracted at random, so that servers registered together do not stay in step. */
const JITTER = 0.1;

/**
 * The delay until the next sync: the interval after a success, doubled for each failure in a row after the first.
 * `random` is from 0 to below 1.
 */
export function syncDelay(intervalMs: number, failures: number, random: number): number {
  const doublings = Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1));
  const delay = Math.min(intervalMs * 2 ** doublings, Math.max(intervalMs, MAX_DELAY_MS));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
