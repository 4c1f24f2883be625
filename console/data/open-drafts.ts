/** How long a sign-out waits for the service to store open drafts. */
const FLUSH_MS = 4_000;

const open = new Set<() => Promise<void>>();

/**
 * Registers a function that stores the draft of an open page before the session ends. Returns a function that removes
 * it.
 */
export function onSignOut(flush: () => Promise<void>): () => void {
  open.add(flush);
  return () => open.delete(flush);
}

/** Stores the open drafts of this tab, if the service answers in time. */
export async function flushDrafts(): Promise<void> {
  const late = new Promise(resolve => setTimeout(resolve, FLUSH_MS));
  await Promise.race([late, Promise.allSettled([...open].map(flush => flush()))]);
}
