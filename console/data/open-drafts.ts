/** How long a sign-out waits for the service to take what is edited. */
const FLUSH_MS = 4_000;

const open = new Set<() => Promise<void>>();

/** Names what keeps the draft of an open page before its session ends. Returns how to take it back. */
export function onSignOut(flush: () => Promise<void>): () => void {
  open.add(flush);
  return () => open.delete(flush);
}

/** Keeps the drafts of this tab, as far as the service answers in time. */
export async function flushDrafts(): Promise<void> {
  const late = new Promise(resolve => setTimeout(resolve, FLUSH_MS));
  await Promise.race([late, Promise.allSettled([...open].map(flush => flush()))]);
}
