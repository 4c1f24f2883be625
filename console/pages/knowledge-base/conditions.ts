/** How a value of an entry's metadata is compared. */
export const COMPARISONS = ["is", "isNot", "oneOf", "noneOf"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A row of the form: what is typed, as it is typed. */
export interface Condition {
  key: string;
  comparison: Comparison;
  value: string;
}

export const EMPTY: Condition = { key: "", comparison: "is", value: "" };

/** `true`, `false` and numbers are what they look like. Quotes make a text of them. */
function scalarOf(text: string): string | number | boolean {
  const trimmed = text.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    if (["string", "number", "boolean"].includes(typeof value)) return value as string | number | boolean;
  } catch {
    // It is a text without quotes.
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

/** The filter of these rows. Rows without a key or a value are passed over. Undefined where none is left. */
export function filterOf(conditions: readonly Condition[]): Record<string, unknown> | undefined {
  const whole = conditions.filter(({ key, value }) => key.trim() !== "" && value.trim() !== "");
  if (whole.length === 0) return undefined;
  return Object.fromEntries(whole.map(condition => [`metadata.${condition.key.trim()}`, conditionOf(condition)]));
}

/** The keys of short values that these entries have, for completion. */
export function keysOf(entries: readonly { metadata: Record<string, unknown> }[]): string[] {
  const keys = entries.flatMap(({ metadata }) =>
    Object.keys(metadata).filter(key => ["string", "number", "boolean"].includes(typeof metadata[key])),
  );
  return [...new Set(keys)].toSorted();
}
