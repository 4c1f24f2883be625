import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../../core/backoff.ts";

/** After this time the step fails, and its policy decides. */
const MAX_WAIT_MS = 60_000;
/** Callers that were refused together must not retry together. */
const PAUSE = { firstMs: 100, mostMs: 2_000, spread: [0.5, 1.5] } as const;

/**
 * Retries `act` while it fails for lack of capacity, up to 60 s. One map may start more steps at once than the queue
 * for processes allows, which is not a fault of those steps. Any other error of `act` is thrown at once.
 * @throws {AbortError} when the signal is aborted, also between two tries
 */
export async function retryWhileBusy<T>(
  act: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || performance.now() > end) throw error;
      const pauseMs = backoffMs(PAUSE, tries, Math.random());
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => Promise.reject(error as Error));
    }
  }
}
