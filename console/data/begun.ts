/** Older answers are asked for anew, because what they show may have changed. */
const FRESH_MS = 5_000;

interface Begun {
  answer: Promise<unknown>;
  at: number;
}

const begun = new Map<string, Begun>();

/** Begins a reading of the page that opens, while the code of the page is still loading. */
export function begin(key: string, read: () => Promise<unknown>): void {
  const now = performance.now();
  // A page that was left before it opened takes nothing.
  for (const [old, { at }] of begun) if (now - at >= FRESH_MS) begun.delete(old);
  const answer = read();
  // The page learns of a failure when it takes the answer. A page that never takes it must not cause an unhandled rejection.
  answer.catch(() => undefined);
  begun.set(key, { answer, at: now });
}

/** A reading that was begun for the page, once; otherwise a new one. */
export function readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
  const found = begun.get(key);
  begun.delete(key);
  return found && performance.now() - found.at < FRESH_MS ? (found.answer as Promise<T>) : read();
}
