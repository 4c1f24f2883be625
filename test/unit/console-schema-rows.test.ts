import { rowsOf, schemaOfRows, type SchemaRow } from "../../console/forms/step/schema-rows.ts";

const SCHEMA = {
  type: "object",
  title: "Expense",
  properties: {
    reason: { type: "string", title: "Why?", "x-weft": { widget: "text" } },
    amount: { type: "number", minimum: 0 },
    cost_center: { type: "string", enum: ["a", "b"] },
    day: { type: "string", format: "date" },
    sure: { type: "boolean" },
  },
  required: ["amount"],
  additionalProperties: false,
};
const row = (name: string, change: Partial<SchemaRow> = {}): SchemaRow => ({
  ...{ name, kind: "text" as const, required: false, options: [], rest: {} },
  ...change,
});

describe("the rows of a form", () => {
  it("show the kind of each field, and give the same schema back", () => {
    const rows = rowsOf(SCHEMA)!;
    expect(rows.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ["reason", "long", false],
      ["amount", "number", true],
      ["cost_center", "choice", false],
      ["day", "date", false],
      ["sure", "boolean", false],
    ]);
    expect(schemaOfRows(rows, SCHEMA)).toEqual(SCHEMA);
    expect(JSON.stringify(schemaOfRows(rows, SCHEMA)!.properties)).toBe(JSON.stringify(SCHEMA.properties));
  });

  it("change only their own field, and keep keywords that they do not show", () => {
    const rows = rowsOf(SCHEMA)!.map(one => (one.name === "amount" ? { ...one, kind: "integer" as const } : one));
    expect(schemaOfRows(rows, SCHEMA)!.properties).toEqual({
      ...SCHEMA.properties,
      amount: { type: "integer", minimum: 0 },
    });
  });

  it("leave out rows without a name, and the second of two with the same name", () => {
    const rows = [row("a"), row(""), row("a", { kind: "number" })];
    expect(schemaOfRows(rows, undefined)).toEqual({ type: "object", properties: { a: { type: "string" } } });
    expect(schemaOfRows([row("")], undefined)).toBeUndefined();
  });

  it("start empty without a schema", () => expect(rowsOf(undefined)).toEqual([]));

  it.each([
    ["a list", { type: "array" }],
    ["a nested object", { properties: { a: { type: "object", properties: {} } } }],
    ["a choice of shapes", { type: "object", anyOf: [{ required: ["a"] }] }],
    ["an unknown format", { properties: { a: { type: "string", format: "ipv4" } } }],
    ["a file", { properties: { a: { type: "string", "x-weft": { widget: "file" } } } }],
    ["several types", { properties: { a: { type: ["string", "null"] } } }],
    ["a field that is required without being described", { properties: {}, required: ["a"] }],
    ["no object at all", "text"],
  ])("cannot show %s", (_, schema) => expect(rowsOf(schema)).toBeUndefined());
});
