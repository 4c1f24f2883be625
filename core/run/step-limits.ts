/** The greatest length of the output of one step, as JSON. */
export const MAX_OUTPUT_CHARS = 262_144;

export function isTooLarge(output: unknown): boolean {
  if (typeof output === "string" && output.length > MAX_OUTPUT_CHARS) return true;
  return typeof output === "object" && output !== null && JSON.stringify(output).length > MAX_OUTPUT_CHARS;
}

/** How many times longer work may take on a busy machine than with a processor of its own. */
export const MOST_SLOWDOWN = 10;

/**
 * The time that is left, in ms, of a limit that counts processor time. It is 0 or less when the work has used up its
 * processor time, or has taken ten times the limit in elapsed time.
 */
export const leftMs = (limitMs: number, usedMs: number, elapsedMs: number): number =>
  Math.min(limitMs - usedMs, limitMs * MOST_SLOWDOWN - elapsedMs);
