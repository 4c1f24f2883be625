import { setTimeout as sleep } from "node:timers/promises";

/** After this time the step fails, and its policy decides. */
const MAX_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Retries `act` while it fails for lack of capacity, up to 60 s. A single map may run more steps at once than may wait
 * for a process, and that is not a fault of those steps. Any other error of `act` is thrown at once.
 * @throws {AbortError} when the signal is aborted, also between two tries
 */
export async function retryWhileBusy<T>(
  act: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || performance.now() > end) throw error;
      // Callers that were refused together must not retry together.
      const apart = pause * (0.5 + Math.random());
      await sleep(apart, undefined, { ref: false, signal }).catch(() => Promise.reject(error as Error));
    }
  }
}
