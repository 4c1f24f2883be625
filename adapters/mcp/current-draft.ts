type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What they hold is data and no schema. */
const VALUES = new Set(["default", "const", "enum", "examples"]);

/**
 * A schema of an earlier draft in the words of 2020-12, which is what the checks understand: many servers still write
 * draft 07, where a list of schemas for `items` is a tuple (draft 2020-12, "Changes from draft 2019-09"). The depth is
 * checked before.
 */
export function inCurrentDraft(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inCurrentDraft);
  if (!isRecord(schema)) return schema;
  const { items, additionalItems, ...rest } = schema;
  const tuple = { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
  const entries = Object.entries(Array.isArray(items) ? tuple : schema);
  return Object.fromEntries(entries.map(([name, value]) => [name, VALUES.has(name) ? value : inCurrentDraft(value)]));
}
