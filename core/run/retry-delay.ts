import type { Policy } from "../graph/definition.ts";

/**
 * Milliseconds until the next attempt after this many failures, null when there is none left.
 * Exponential backoff doubles from `initialMs` up to `maxMs`; `jitter` spreads it by that share either way.
 * `random` is from [0, 1).
 */
export function retryDelay(retry: Policy["retry"], failures: number, random: number): number | null {
  if (failures >= retry.maxAttempts) return null;
  const factor = retry.backoff === "exponential" ? 2 ** Math.min(failures - 1, 30) : 1;
  const base = Math.min(retry.initialMs * factor, retry.maxMs);
  return Math.round(base * (1 + retry.jitter * (2 * random - 1)));
}
