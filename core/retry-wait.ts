const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * How long to wait, in milliseconds, until a server that is away is tried again: `tries` is how often it has been, and `random`
 * from 0 to 1 keeps those apart that all lost it at the same moment ("equal jitter": Exponential Backoff And Jitter, AWS
 * Architecture Blog, 2015).
 */
export const retryWait = (tries: number, random: number): number =>
  Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS) * (0.5 + random / 2);
