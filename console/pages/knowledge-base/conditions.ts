/** The ways to compare a value of an entry's metadata. */
export const COMPARISONS = ["is", "isNot", "oneOf", "noneOf"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A row of the form, with the texts as the user typed them. */
export interface Condition {
  key: string;
  comparison: Comparison;
  value: string;
}

export const EMPTY: Condition = { key: "", comparison: "is", value: "" };

/** Parses `true`, `false` and numbers. Quotes make any of them a text. */
function scalarOf(text: string): string | number | boolean {
  const trimmed = text.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    if (["string", "number", "boolean"].includes(typeof value)) return value as string | number | boolean;
  } catch {
    // Not JSON, so it is a text without quotes.
  }
  return trimmed;
}

const listOf = (text: string) =>
  text
    .split(",")
    .filter(part => part.trim() !== "")
    .map(scalarOf);

function conditionOf({ comparison, value }: Condition): unknown {
  if (comparison === "is") return scalarOf(value);
  if (comparison === "isNot") return { $ne: scalarOf(value) };
  return comparison === "oneOf" ? { $in: listOf(value) } : { $nin: listOf(value) };
}

/** The filter for these rows. Rows without a key or a value are ignored. Undefined if none is left. */
export function filterOf(conditions: readonly Condition[]): Record<string, unknown> | undefined {
  const whole = conditions.filter(({ key, value }) => key.trim() !== "" && value.trim() !== "");
  if (whole.length === 0) return undefined;
  return Object.fromEntries(whole.map(condition => [`metadata.${condition.key.trim()}`, conditionOf(condition)]));
}

/** The metadata keys of these entries whose values are short, for completion. */
export function keysOf(entries: readonly { metadata: Record<string, unknown> }[]): string[] {
  const keys = entries.flatMap(({ metadata }) =>
    Object.keys(metadata).filter(key => ["string", "number", "boolean"].includes(typeof metadata[key])),
  );
  return [...new Set(keys)].toSorted();
}
