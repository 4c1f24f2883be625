import { outsideScope } from "../telemetry/scope.ts";

/** How long a stop waits for current work. The next run completes the rest. */
const STOP_MS = 1_500;

/** Waits for work of a stopping service, but only as long as the process's time to stop allows. */
export async function waitBriefly(work: Promise<unknown> | null): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>(resolve => (limit = setTimeout(resolve, STOP_MS)));
  await Promise.race([work, tooLong]);
  clearTimeout(limit);
}

export interface Sweeper {
  /** Runs now, or once more after the current run. */
  soon(): void;
  /** Starts no further run. Resolves when the current run has ended, or after one and a half seconds. */
  stop(): Promise<void>;
}

/**
 * Runs `run` about every `everyMs`, never twice at the same time. A run may resolve with the milliseconds until new
 * work is due; the next run then starts at that time if it is sooner. An error is passed to `failed`, and the next run
 * starts as planned.
 */
export function startSweeper(
  run: () => Promise<number | void>,
  everyMs: number,
  failed: (error: unknown) => void,
): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  // The random part keeps nodes that started together from sweeping together.
  const wait = (ms: number, latest = Infinity) => {
    timer = setTimeout(soon, Math.min(ms * (0.75 + Math.random() / 2), latest));
    timer.unref();
  };

  function soon(): void {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    // A run has its own trace, not the trace of the request that triggered it.
    running = outsideScope(run)
      .catch(failed)
      .then(dueInMs => {
        running = null;
        if (stopped) return;
        outsideScope(() => wait(again ? 0 : everyMs, dueInMs ?? Infinity));
        again = false;
      });
  }

  wait(Math.min(everyMs, 1_000));
  return {
    soon,
    stop() {
      stopped = true;
      clearTimeout(timer);
      return waitBriefly(running);
    },
  };
}
