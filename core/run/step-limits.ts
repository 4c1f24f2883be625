/** The greatest length of the output of one step, as JSON. */
export const MAX_OUTPUT_CHARS = 262_144;

/** The approximate length of a value as JSON. For a string it is the string's own length. */
export const charsOf = (value: unknown): number =>
  typeof value === "string"
    ? value.length
    : typeof value === "object" && value !== null
      ? JSON.stringify(value).length
      : 0;

export const isTooLarge = (output: unknown): boolean => charsOf(output) > MAX_OUTPUT_CHARS;

/** How many times longer work may take on a busy machine than with its own processor. */
export const MAX_SLOWDOWN = 10;

/**
 * The remaining time, in ms, of a limit that counts processor time. It is 0 or less if the work has used up its
 * processor time, or has taken ten times the limit in elapsed time.
 */
export const leftMs = (limitMs: number, usedMs: number, elapsedMs: number): number =>
  Math.min(limitMs - usedMs, limitMs * MAX_SLOWDOWN - elapsedMs);
