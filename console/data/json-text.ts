/** The value of a text that people typed as JSON. An empty text is null. Undefined where it is not JSON. */
export function jsonOf(text: string): { value: unknown } | undefined {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
