/** Whoever does the work may not have begun with it when it first hears that nobody wants it any more. */
const TELL_AGAIN_MS = 1_000;

/**
 * Waits for work that is done elsewhere. Once the signal is aborted, `tell` lets whoever does it know that nobody wants it any
 * more: it rejects then as it does for them. Rejects with the signal's reason where that was aborted before.
 */
export async function orGiveUp<T>(signal: AbortSignal, tell: () => void, work: () => Promise<T>): Promise<T> {
  let again: NodeJS.Timeout | undefined;
  const onAbort = () => {
    tell();
    again = setTimeout(tell, TELL_AGAIN_MS).unref();
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
