/** The greatest length of the output of one step, as JSON. */
export const MAX_OUTPUT_CHARS = 262_144;

export function isTooLarge(output: unknown): boolean {
  if (typeof output === "string" && output.length > MAX_OUTPUT_CHARS) return true;
  return typeof output === "object" && output !== null && JSON.stringify(output).length > MAX_OUTPUT_CHARS;
}
