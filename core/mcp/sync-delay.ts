import { backoffMs } from "../backoff.ts";

/** The longest pause before the next sync of a failing server, unless the interval is longer. */
const MAX_DELAY_MS = 24 * 3_600_000;
/** Shares of the interval. They spread the syncs of servers that were registered together. */
const SPREAD = [0.9, 1.1] as const;

/**
 * The delay until the next sync: the interval after a success, doubled for each failure in a row after the first.
 * `random` is from 0 to below 1.
 */
export function syncDelay(intervalMs: number, failures: number, random: number): number {
  const mostMs = Math.max(intervalMs, MAX_DELAY_MS);
  return Math.round(backoffMs({ firstMs: intervalMs, mostMs, spread: SPREAD }, failures, random));
}
