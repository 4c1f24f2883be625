import { backoffMs } from "../backoff.ts";
import type { Policy } from "../graph/definition.ts";

export const DEFAULT_MAX_MS = 60_000;
/** The longest wait that a server can ask for. */
const MAX_ASKED_MS = 300_000;

/**
 * The time in ms until the next attempt after this many failures; null when no attempt is left. Exponential backoff
 * doubles from `initialMs` up to `maxMs`. `jitter` spreads the time by that share either way, never over `maxMs`.
 * `random` is from [0, 1). `askedMs` is the wait that the other side asked for: the time is no shorter, up to `maxMs`
 * or five minutes.
 */
export function retryDelay(retry: Policy["retry"], failures: number, random: number, askedMs?: number): number | null {
  if (failures >= retry.maxAttempts) return null;
  const { initialMs: firstMs, maxMs = DEFAULT_MAX_MS } = retry;
  const base = backoffMs({ firstMs, mostMs: maxMs }, retry.backoff === "exponential" ? failures : 1);
  const shortest = base * (1 - retry.jitter);
  // Where `maxMs` cuts the spread off, the rest of it is still used, so that steps which fail together do not retry
  // together.
  const longest = Math.min(base * (1 + retry.jitter), maxMs);
  const own = Math.floor(shortest + random * (longest - shortest));
  return askedMs === undefined ? own : Math.max(own, Math.ceil(Math.min(askedMs, retry.maxMs ?? MAX_ASKED_MS)));
}
