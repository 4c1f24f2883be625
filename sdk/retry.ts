import { WeftConnectionError, WeftError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Who is to wait longer than this is told instead. */
const MAX_RETRY_AFTER_MS = 30_000;
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

/** Grows by two from failure to failure; half of it is random, so that those who failed together do not come back together. */
function backoffMs(failures: number): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  return full * (0.5 + Math.random() / 2);
}

/** Whether the request was turned away for now: by a limit, or because its first try is still being worked on. */
const isTurnedAway = ({ status, code }: WeftError) => status === 429 || code === "idempotency_in_progress";

/**
 * How long to wait before a failed request is sent again, in milliseconds; undefined where it is not to be.
 * `repeatable`: sent twice, it does what it does once. A request that is not is repeated only where it surely did nothing.
 */
export function retryDelayMs(error: unknown, failures: number, repeatable: boolean): number | undefined {
  if (error instanceof WeftConnectionError) return repeatable ? backoffMs(failures) : undefined;
  if (!(error instanceof WeftError)) return undefined;
  if (!isTurnedAway(error) && !(repeatable && PASSING.has(error.status))) return undefined;
  const { retryAfterMs = 0 } = error;
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : Math.max(retryAfterMs, backoffMs(failures));
}

/** Waits; throws the signal's reason as soon as it is aborted. */
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
