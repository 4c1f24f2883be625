import { onOwnBehalf } from "../telemetry/scope.ts";

/** How long a stop waits for work that is under way: what that leaves, the next one does. */
const STOP_MS = 1_500;

/** Waits for this work of a service that stops, or not for long enough to use up the time that the process has. */
export async function forAMoment(work: Promise<unknown> | null): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>(resolve => (limit = setTimeout(resolve, STOP_MS)));
  await Promise.race([work, tooLong]);
  clearTimeout(limit);
}

export interface Sweeper {
  /** Runs now, or once more after the run that is under way. */
  soon(): void;
  /** Nothing begins after this; resolves when the run under way has ended, or after one and a half seconds. */
  stop(): Promise<void>;
}

/**
 * Runs `run` every `everyMs` or so, never twice at the same time. A run that knows when there is work again resolves with
 * that, in milliseconds from now: the next run comes then where that is sooner. What it throws goes to `failed`, and the
 * next turn comes.
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

  // Nodes that started together must not sweep together.
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
    // What it goes on with is no matter of whoever asked for this turn.
    running = onOwnBehalf(run)
      .catch(failed)
      .then(dueInMs => {
        running = null;
        if (stopped) return;
        onOwnBehalf(() => wait(again ? 0 : everyMs, dueInMs ?? Infinity));
        again = false;
      });
  }

  wait(Math.min(everyMs, 1_000));
  return {
    soon,
    stop() {
      stopped = true;
      clearTimeout(timer);
      return forAMoment(running);
    },
  };
}
