/** The value of a text that people typed as JSON. An empty text is null. Undefined where it is not JSON. */
export function jsonOf(text: string): { value: unknown } | undefined {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The object of a text that people typed as JSON. Undefined where it is another value, or no JSON. */
export function recordIn(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text)?.value;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
