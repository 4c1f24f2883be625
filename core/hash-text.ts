/** The prime of FNV-1a and the multiplier of the second lane. Both are odd, so no bit is lost. */
const PRIMES = [0x01000193, 0x85ebca6b] as const;

/**
 * A 53-bit hash from two lanes of the kind of FNV-1a (Fowler, Noll, Vo). It distinguishes texts, but does not protect
 * against texts that are made to collide.
 */
export function hashText(text: string): number {
  let [low, high] = [0x811c9dc5, 0xdeadbeef];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, PRIMES[0]);
    high = Math.imul(high ^ code, PRIMES[1]);
    high ^= high >>> 13;
  }
  low ^= high >>> 16;
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
