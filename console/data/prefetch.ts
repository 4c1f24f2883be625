/** An answer older than this is requested again, because the data may have changed. */
const FRESH_MS = 5_000;

interface Begun {
  answer: Promise<unknown>;
  at: number;
}

const begun = new Map<string, Begun>();

/** Starts a request for the page that opens, while the code of the page still loads. */
export function prefetch(key: string, read: () => Promise<unknown>): void {
  const now = performance.now();
  // Drops answers that no page took, for example because the user left before the page opened.
  for (const [old, { at }] of begun) if (now - at >= FRESH_MS) begun.delete(old);
  const answer = read();
  // The page sees the failure when it takes the answer. If it never does, the rejection must not count as unhandled.
  answer.catch(() => undefined);
  begun.set(key, { answer, at: now });
}

/** Returns the answer that `prefetch` requested under this key, once. Otherwise it calls `read`. */
export function readPrefetched<T>(key: string, read: () => Promise<T>): Promise<T> {
  const found = begun.get(key);
  begun.delete(key);
  return found && performance.now() - found.at < FRESH_MS ? (found.answer as Promise<T>) : read();
}
