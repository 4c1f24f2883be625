/**
 * The other side may not have begun the work when the first cancellation arrives, so it is told again after this time.
 */
const TELL_AGAIN_MS = 1_000;

/**
 * Waits for work that another process does. When the signal is aborted, `tell` informs that process that the result is
 * no longer needed, and the work then rejects.
 * @throws {AbortError} when the signal is aborted before the work begins
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
