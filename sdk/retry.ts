import { WeftConnectionError, WeftError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A longer delay is reported as an error instead. */
const MAX_RETRY_AFTER_MS = 30_000;
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Doubles with each failure. Half of the delay is random, so that clients that failed together do not retry together.
 */
function backoffMs(failures: number): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  return full * (0.5 + Math.random() / 2);
}

/**
 * Whether the service refused the request only temporarily, because of a limit or because the first try is still in
 * progress.
 */
const isTurnedAway = ({ status, code }: WeftError) => status === 429 || code === "idempotency_in_progress";

/**
 * The delay before a failed request is retried, in milliseconds; undefined if it must not be retried. A `repeatable`
 * request has the same effect when it is sent twice. Any other request is retried only if it certainly had no effect.
 */
export function retryDelayMs(error: unknown, failures: number, repeatable: boolean): number | undefined {
  if (error instanceof WeftConnectionError) return repeatable ? backoffMs(failures) : undefined;
  if (!(error instanceof WeftError)) return undefined;
  if (!isTurnedAway(error) && !(repeatable && PASSING.has(error.status))) return undefined;
  const { retryAfterMs = 0 } = error;
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : Math.max(retryAfterMs, backoffMs(failures));
}

/** Waits. An abort ends the wait at once and throws the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
  });
}
