/**
 * Renews a lease every `ms` milliseconds until the returned function is called. A failed renewal is not reported: the
 * lease then ends, and later writes of its holder are refused.
 */
export function renewEvery(ms: number, renew: () => Promise<unknown>): () => void {
  const beat = setInterval(() => void renew().catch(() => undefined), ms);
  beat.unref();
  return () => clearInterval(beat);
}
