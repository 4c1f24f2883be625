import { isRecord } from "./json.ts";

/**
 * Parses JSON that a user typed. An empty text gives null as the value. Returns undefined if the text is not valid
 * JSON.
 */
export function jsonOf(text: string): { value: unknown } | undefined {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Parses JSON that a user typed, and returns it if it is an object. Otherwise it returns undefined. */
export function recordIn(text: string): Record<string, unknown> | undefined {
  const value = jsonOf(text)?.value;
  return isRecord(value) ? value : undefined;
}
