import { faultsOf, faultsOfService } from "../../console/forms/check.ts";
import { momentOf } from "../../console/forms/date-time.ts";
import { fieldOf, labelOf } from "../../console/forms/schema.ts";
import { CREDENTIAL_TYPE_NAMES, credentialFields } from "../../contracts/credentials/types.ts";
import { hasContent, initialOf, unreadable, withMember } from "../../console/forms/values.ts";

const kindOf = (schema: unknown) => fieldOf(schema).kind;

describe("fields of a JSON Schema", () => {
  it.each([
    [{ type: "string" }, { kind: "text", input: "text" }],
    [
      { type: "string", format: "email" },
      { kind: "text", input: "email" },
    ],
    [
      { type: "string", format: "uri" },
      { kind: "text", input: "url" },
    ],
    [
      { type: "string", format: "date" },
      { kind: "text", input: "date" },
    ],
    [
      { type: "string", format: "date-time" },
      { kind: "text", input: "datetime" },
    ],
    [
      { type: "string", format: "hostname" },
      { kind: "text", input: "text" },
    ],
    [
      { type: "string", maxLength: 200 },
      { kind: "text", input: "text", maxLength: 200 },
    ],
    [
      { type: "string", maxLength: 2_000 },
      { kind: "text", input: "multiline" },
    ],
    [
      { type: "string", "x-weft": { widget: "text" } },
      { kind: "text", input: "multiline" },
    ],
    [
      { type: "integer", minimum: 1, maximum: 5 },
      { kind: "number", integer: true, min: 1, max: 5 },
    ],
    [{ type: ["number", "null"] }, { kind: "number", integer: false, nullable: true }],
    [{ type: "boolean" }, { kind: "boolean" }],
    [{ enum: ["a", 2, null] }, { kind: "choice" }],
    [
      {
        oneOf: [
          { const: 1, title: "One" },
          { const: 2, title: "Two" },
        ],
      },
      { kind: "choice", options: [expect.objectContaining({ value: 1, label: "One" }), { value: 2, label: "Two" }] },
    ],
    [{ type: "array", items: { enum: ["a", "b"] }, uniqueItems: true }, { kind: "several" }],
    [
      { type: "array", items: { type: "string" } },
      { kind: "list", item: expect.objectContaining({ kind: "text" }) },
    ],
    [{ properties: { a: {} } }, { kind: "object" }],
    // A property that is left to programs.
    [
      { properties: { a: { default: true, "x-weft": { widget: "hidden" } }, b: {} } },
      { kind: "object", properties: [expect.objectContaining({ name: "b" })] },
    ],
  ])("are rendered: %j", (schema, expected) => {
    expect(fieldOf(schema)).toMatchObject(expected);
  });

  it.each([
    ["what it does not know", { oneOf: [{ type: "string" }, { type: "number" }] }],
    ["references", { $ref: "#/$defs/a" }],
    ["several types", { type: ["string", "number"] }],
    ["conditions", { type: "object", properties: { a: {} }, if: {} }],
    ["objects without named fields", { type: "object" }],
    ["lists of anything", { type: "array" }],
    ["what is not a schema", "text"],
    ["nothing", undefined],
    ["odd keywords", { type: 7, properties: [], enum: "a" }],
  ])("fall back to JSON for %s", (_name, schema) => {
    expect(kindOf(schema)).toBe("json");
  });

  it("end at an endlessly nested schema", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { again: schema };
    expect(() => fieldOf(schema)).not.toThrow();
  });

  it.each([
    ["costCenter", "Cost center"],
    ["cost_center", "Cost center"],
    ["IBAN", "IBAN"],
    ["baseUrl", "Base URL"],
    ["apiKey", "API key"],
    ["customerID", "Customer ID"],
    ["_", "_"],
  ])("read %s as %s", (name, label) => expect(labelOf(name)).toBe(label));
});

describe("hints of the fields of credentials", () => {
  const SMALL = new Set(["the", "a", "an", "of", "id", "name", "secret", "s"]);
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

  it.each(CREDENTIAL_TYPE_NAMES)("of the type %s say more than their labels, or are left out", type => {
    const useless = credentialFields(type).filter(({ name, title = labelOf(name), description = "" }) => {
      // The form leaves this one out.
      if (description.toLowerCase() === `the ${title.toLowerCase()}.`) return false;
      const known = new Set(wordsOf(title));
      return wordsOf(description).every(word => SMALL.has(word) || known.has(word));
    });
    expect(useless).toEqual([]);
  });
});

describe("values of a form", () => {
  it("start with defaults, and with false for an unchecked box", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", default: "x" },
        b: { type: "boolean" },
        c: { type: "number" },
        d: { const: 7 },
      },
    };
    expect(initialOf(fieldOf(schema))).toEqual({ a: "x", b: false, d: 7 });
  });

  it("lose a field that becomes empty, keep the others, and allow any name", () => {
    expect(withMember({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
    expect(Object.entries(withMember({ a: 1, b: 2 }, "a", 3))).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
    const odd = withMember({}, "__proto__", "own");
    expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
    expect(Object.keys(odd)).toEqual(["__proto__"]);
  });

  it("have content once something was typed", () => {
    expect([undefined, null, "", {}, { a: "" }, [null]].map(hasContent)).not.toContain(true);
    expect([0, false, "a", { a: 0 }, ["a"]].map(hasContent)).not.toContain(false);
  });

  it("are moments in UTC", () => {
    expect(momentOf("2026-11-22T14:00")).toBe(new Date(2026, 10, 22, 14).toISOString());
    expect([momentOf(""), momentOf("soon")]).toEqual([undefined, undefined]);
  });
});

describe("the check of a form", () => {
  const schema = {
    type: "object",
    required: ["name", "a/b"],
    properties: {
      name: { type: "string", minLength: 3 },
      "a/b": { type: "string" },
      amount: { type: "number", minimum: 10 },
      mail: { type: "string", format: "email" },
      items: { type: "array", minItems: 2, items: { type: "object", required: ["x"], properties: { x: {} } } },
    },
  };

  it("places each fault at its field, and reports it once", () => {
    const faults = faultsOf(schema, { name: "A", amount: 9, mail: "no", items: [{}] });
    expect(Object.fromEntries(faults)).toEqual({
      "/name": "Enter at least 3 characters.",
      "/a~1b": "This field is required.",
      "/amount": "Enter 10 or more.",
      "/mail": "Enter an e-mail address.",
      "/items": "Add at least 2 items.",
      "/items/0/x": "This field is required.",
    });
  });

  it("finds nothing in valid values", () => {
    expect(faultsOf(schema, { name: "Ada", "a/b": "", amount: 10 }).size).toBe(0);
  });

  it("finds values that a field could not read", () => {
    const given = { name: "Ada", "a/b": "", amount: unreadable(""), items: unreadable("[1") };
    expect(Object.fromEntries(faultsOf(schema, given))).toEqual({
      "/amount": "Enter a number.",
      "/items": "This is not valid JSON.",
    });
  });

  it("leaves an invalid schema to the service", () => {
    expect(faultsOf({ type: "string", pattern: "(" }, "a").size).toBe(0);
  });

  it("places faults of the service", () => {
    const errors = [
      { path: "/data/amount", message: "too little" },
      { path: "/data", message: "bad" },
      { path: "/database", message: "another field" },
    ];
    expect([...faultsOfService(errors, "/data")]).toEqual([
      ["/amount", "too little"],
      ["", "bad"],
    ]);
  });
});
