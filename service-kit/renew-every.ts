/**
 * Renews a lease every `ms` milliseconds until the returned function is called. A renewal that fails is not reported: the
 * lease ends, and what its holder then writes is refused.
 */
export function renewEvery(ms: number, renew: () => Promise<unknown>): () => void {
  const beat = setInterval(() => void renew().catch(() => undefined), ms);
  beat.unref();
  return () => clearInterval(beat);
}
