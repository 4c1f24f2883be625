const MAX_DOUBLINGS = 20;
/** So long a server that keeps failing is left alone at most, unless the interval is longer still. */
const MAX_DELAY_MS = 24 * 3_600_000;
/** Of the interval, to either side: servers that were registered together are not synced together for ever. */
const JITTER = 0.1;

/**
 * How long after a sync the next one comes: the interval after one that went well, twice as long after each failure in a row
 * but the first. `random` is from 0 to below 1.
 */
export function syncDelay(intervalMs: number, failures: number, random: number): number {
  const doublings = Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1));
  const delay = Math.min(intervalMs * 2 ** doublings, Math.max(intervalMs, MAX_DELAY_MS));
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
