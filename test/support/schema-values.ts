import type { JsonSchema } from "../../services/gateway/openapi/json-schema.ts";

/** Texts at and just beyond the limits of the document's formats and patterns. */
const TEXTS = [
  ...["", " ", "\t\n", "a", "A", "a b", " a ", "é", "\u0000", "0", "-1", "1.5", "true", "null", "[]", "{}"],
  ...[
    "01980000-0000-7000-8000-00000000000a",
    "01980000-0000-7000-8000-00000000000A",
    "01980000-0000-7000-8000-00000000000",
  ],
  ...[
    "01980000000070008000000000000000",
    "00000000-0000-0000-0000-000000000000",
    "g1980000-0000-7000-8000-00000000000a",
  ],
  ...["2026-01-31", "2026-02-29", "2024-02-29", "2026-1-31", "2026-01-31T00:00:00Z", "2026-01-31T00:00:00.123456789Z"],
  ...[
    "2026-02-30T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T00:00:00",
    "2026-01-31 00:00:00Z",
  ],
  ...["2026-01-31T00:00:00+02:00", "2026-01-31T00:00:00-23:59", "2026-01-31T00:00:00+24:00", "2026-01-31t00:00:00z"],
  ...["2026-01-31T00:00:00+0200", "0000-01-01T00:00:00Z", "12026-01-31T00:00:00Z"],
  ...[
    "ada@example.com",
    "Ada@Example.COM",
    "ada@example",
    "@example.com",
    "ada@",
    "a da@example.com",
    "a..b@example.com",
  ],
  ...["https://example.com/mcp", "HTTP://example.com", "ftp://example.com", "https://", "https://a:b@example.com/"],
  ...["https://example.com/a@b", "//example.com", "example.com", "https:example.com", "https://example.com/ü"],
  ...["metadata.lang", "metadata.", "metadata", "xmetadata.lang", "a-b", "a--b", "-a", "a-", "a_b"],
  ...["*/15 9-17 * * mon-fri", "* * * *", "* * * * * *"],
];

const MUCH = 1_000;
const NUMBERS = [0, 1, -1, 0.5, 1e300, 2 ** 53, -(2 ** 53), 2 ** 31, 1e15];
const OTHERS = [null, true, false, {}, [], [null]];

/** A text with this length and the same beginning and end as the given one, if its form allows more characters. */
function stretched(text: string, length: number): string[] {
  if (text.length > length || text.length === 0) return [];
  const more = "a".repeat(length - text.length);
  const middle = Math.floor(text.length / 2);
  return [text + more, more + text, text.slice(0, middle) + more + text.slice(middle)];
}

function texts({ minLength = 0, maxLength, pattern }: JsonSchema): string[] {
  const least = Math.max(0, minLength - 1);
  const lengths = [least, minLength, ...(maxLength === undefined ? [] : [maxLength, maxLength + 1])];
  const bounds = /\{(\d+),(\d+)\}/.exec(pattern ?? "");
  const all = bounds ? [...lengths, ...bounds.slice(1).flatMap(bound => [Number(bound), Number(bound) + 1])] : lengths;
  const blank = [minLength, minLength + 1].map(length => " ".repeat(length));
  // One very long text of each length is enough.
  const longer = (length: number) => (length > MUCH ? ["a"] : ["a", ...TEXTS]).flatMap(text => stretched(text, length));
  return [...TEXTS, ...blank, ...all.flatMap(longer)];
}

const numbers = ({ minimum, maximum }: JsonSchema): number[] => [
  ...NUMBERS,
  ...[minimum, maximum].flatMap(bound => (bound === undefined ? [] : [bound - 1, bound, bound + 1, bound + 0.5])),
];

/** Whether a schema accepts a value. */
export type Allows = (schema: JsonSchema, value: unknown) => boolean;

/** Values for a schema: at and just beyond each of its limits, and values of every other type. */
export function valuesFor(schema: JsonSchema, allows: Allows): unknown[] {
  const own = new Set<unknown>([...(schema.enum ?? []), ...OTHERS, "a", 1]);
  const types = [schema.type ?? []].flat();
  for (const value of schema.enum ?? []) own.add(String(value).toUpperCase()).add(`${String(value)} `);
  if (types.includes("string")) for (const text of texts(schema)) own.add(text);
  if (types.includes("integer") || types.includes("number")) for (const number of numbers(schema)) own.add(number);
  for (const part of schema.anyOf ?? []) for (const value of valuesFor(part, allows)) own.add(value);
  if (schema.items) for (const value of lists(schema.items, schema, allows)) own.add(value);
  if (types.includes("object")) for (const value of objects(schema, allows)) own.add(value);
  return [...own];
}

/** A value that the schema allows, as small as possible. */
export function sampleOf(schema: JsonSchema, allows: Allows): unknown {
  return schema.default ?? valuesFor(schema, allows).find(value => value !== null && allows(schema, value));
}

function lists(items: JsonSchema, { maxItems = 3 }: JsonSchema, allows: Allows): unknown[][] {
  const values = valuesFor(items, allows);
  // A list with one item tests the item. A few allowed items test the length.
  const fine = values.filter(value => allows(items, value)).slice(0, 3);
  const many = fine.flatMap(value => [maxItems, maxItems + 1].map(length => Array<unknown>(length).fill(value)));
  return [[], ...values.map(value => [value]), ...many];
}

function objects(
  { properties = {}, required = [], additionalProperties: more, ...schema }: JsonSchema,
  allows: Allows,
): object[] {
  const fields = Object.entries(properties);
  // Each field in turn takes all its values, while required fields have plain values.
  const plain = (but: string) =>
    Object.fromEntries(required.filter(name => name !== but).map(name => [name, plainOf(properties[name]!)]));
  const made: object[] = [{}, plain(""), { ...plain(""), unknown: 1 }];
  for (const [name, field] of fields) {
    made.push(plain(name), ...valuesFor(field, allows).map(value => ({ ...plain(name), [name]: value })));
  }
  if (typeof more !== "object") return made;
  const { propertyNames, maxProperties } = schema;
  const key = propertyNames?.pattern === undefined ? "a" : "metadata.a";
  if (propertyNames)
    made.push(...valuesFor(propertyNames, allows).flatMap(name => (typeof name === "string" ? [{ [name]: 1 }] : [])));
  made.push(...valuesFor(more, allows).map(value => ({ [key]: value })));
  for (const count of maxProperties === undefined ? [] : [maxProperties, maxProperties + 1]) {
    made.push(Object.fromEntries(Array.from({ length: count }, (_, at) => [key + at, 1])));
  }
  return made;
}

function plainOf({ type, enum: some }: JsonSchema): unknown {
  return some?.[0] ?? (type === "integer" || type === "number" ? 1 : type === "string" ? "a" : {});
}
