import type { Policy } from "../graph/definition.ts";

/**
 * Milliseconds until the next attempt after this many failures, null when there is none left.
 * Exponential backoff doubles from `initialMs` up to `maxMs`; `jitter` spreads it by that share either way, never over `maxMs`.
 * `random` is from [0, 1).
 */
export function retryDelay(retry: Policy["retry"], failures: number, random: number): number | null {
  if (failures >= retry.maxAttempts) return null;
  const factor = retry.backoff === "exponential" ? 2 ** Math.min(failures - 1, 30) : 1;
  const base = Math.min(retry.initialMs * factor, retry.maxMs);
  const shortest = base * (1 - retry.jitter);
  // Where the spread is cut off, all of it that is left is used: what fails together is not tried again together.
  const longest = Math.min(base * (1 + retry.jitter), retry.maxMs);
  return Math.floor(shortest + random * (longest - shortest));
}
