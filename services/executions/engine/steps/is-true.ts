/** Truthiness as JSONata's $boolean defines it. Empty strings, arrays and objects are false too. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (value !== null && typeof value === "object") return Object.keys(value).length > 0;
  return Boolean(value);
}
