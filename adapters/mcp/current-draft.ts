import { isObject } from "../../core/json.ts";

type Json = Record<string, unknown>;

/** The values of these keywords are data, not schemas. */
const VALUES = new Set(["default", "const", "enum", "examples"]);
const BOUNDS = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/** Until draft 06, `exclusiveMinimum` is a boolean that says whether `minimum` itself is excluded. */
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
 * Translates a schema of draft 04 or later to 2020-12, the draft that the checks support. Many servers still write
 * draft 07, and some draft 04 (2020-12, "Changes from draft 2019-09"; draft 06, "Changes from draft 04"). Keywords that
 * all drafts share, or that no check reads, stay unchanged. The caller must have checked the depth.
 */
export function inCurrentDraft(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inCurrentDraft);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(withTuple(withBounds(schema)));
  return Object.fromEntries(entries.map(([name, value]) => [name, VALUES.has(name) ? value : inCurrentDraft(value)]));
}
