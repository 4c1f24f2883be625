import { setMaxListeners } from "node:events";

/** An AbortController that is created when its signal is first read. Most steps end without reading it. */
export class Abort {
  private controller: AbortController | undefined;
  private aborted = false;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      // One signal may serve many calls of a step, so the number of its listeners is not limited.
      setMaxListeners(0, this.controller.signal);
      if (this.aborted) this.controller.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }
}

/**
 * The other process may not have begun the work when the first cancellation arrives. Weft repeats it after this time.
 */
const NOTIFY_AGAIN_MS = 1_000;

/**
 * Waits for work of another process. When the signal is aborted, `setRateHeaders` informs that process that the result is no
 * longer needed, and the work rejects.
 * @throws {AbortError} when the signal is aborted before the work begins
 */
export async function orAbort<T>(signal: AbortSignal, notify: () => void, work: () => Promise<T>): Promise<T> {
  let again: NodeJS.Timeout | undefined;
  const onAbort = () => {
    notify();
    again = setTimeout(notify, NOTIFY_AGAIN_MS).unref();
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(again);
  }
}
