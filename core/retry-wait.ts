const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * The delay in milliseconds before the next try to reach an unavailable server. `tries` counts the tries so far.
 * `random`, from 0 to 1, spreads clients that lost the server at the same moment ("equal jitter": Exponential Backoff
 * And Jitter, AWS Architecture Blog, 2015).
 */
export const retryWait = (tries: number, random: number): number =>
  Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS) * (0.5 + random / 2);
