type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What they hold is data and no schema. */
const VALUES = new Set(["default", "const", "enum", "examples"]);
const BOUNDS = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/** Until draft 06, `exclusiveMinimum` says whether `minimum` itself is excluded. */
function withBounds(schema: Json): Json {
  const now = { ...schema };
  for (const [bound, exclusive] of BOUNDS) {
    const { [bound]: limit, [exclusive]: excludes } = schema;
    if (typeof limit !== "number" || typeof excludes !== "boolean") continue;
    delete now[exclusive];
    if (!excludes) continue;
    delete now[bound];
    now[exclusive] = limit;
  }
  return now;
}

/** Until draft 2019-09, a list of schemas for `items` is a tuple. */
function withTuple(schema: Json): Json {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

/**
 * A schema of draft 04 or later in the words of 2020-12, which is what the checks understand: many servers still write draft
 * 07, and some draft 04 (2020-12, "Changes from draft 2019-09"; draft 06, "Changes from draft 04"). What is the same in all of
 * them, or means nothing to a check, stays as it is. The depth is checked before.
 */
export function inCurrentDraft(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inCurrentDraft);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(withTuple(withBounds(schema)));
  return Object.fromEntries(entries.map(([name, value]) => [name, VALUES.has(name) ? value : inCurrentDraft(value)]));
}
