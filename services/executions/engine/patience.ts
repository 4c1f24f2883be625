import { setTimeout as sleep } from "node:timers/promises";

/** So long a step waits for room among what others do; then it fails, and its policy decides. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Does what there was no room for once there is: a map alone may have more steps at a time than may wait for a process, and
 * that is no failure of theirs. Rejects with what `act` rejects with, where that is no lack of room, or it lasts, or the signal
 * is aborted: at once, also between two tries.
 */
export async function patiently<T>(
  act: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || performance.now() > end) throw error;
      // Those that were refused together do not come back together.
      const apart = pause * (0.5 + Math.random());
      await sleep(apart, undefined, { ref: false, signal }).catch(() => Promise.reject(error as Error));
    }
  }
}
