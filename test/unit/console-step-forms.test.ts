import { msOf, unitOf } from "../../console/forms/step/duration.ts";
import { labelsAt } from "../../console/forms/step/labels.ts";
import {
  discriminatorOf,
  initialValueOf,
  looksLike,
  membersOf,
  resolved,
  unwrapped,
  variantsOf,
} from "../../console/forms/step/model.ts";

const names = (schema: object) => membersOf(schema as Record<string, unknown>, {}).map(({ name }) => name);

const NEXT = {
  anyOf: [
    { const: "link", type: "string" },
    { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    { type: "object", properties: { query: { type: "object" } }, required: ["query"] },
  ],
};
const ACTIONS = {
  oneOf: [
    {
      type: "object",
      properties: { action: { const: "search" }, query: { type: "string" } },
      required: ["action", "query"],
    },
    { type: "object", properties: { action: { const: "add" }, content: { type: "string" } }, required: ["action"] },
  ],
};

describe("the form of a step", () => {
  it("has the fields in the order of their hints", () => {
    const properties = { b: { "x-weft": { order: 1 } }, a: { "x-weft": { order: 0 } }, c: { "x-weft": { order: 2 } } };
    expect(names({ properties })).toEqual(["a", "b", "c"]);
    expect(names({ properties: { z: {}, y: {} } })).toEqual(["z", "y"]);
  });

  it("does not require a field that has a default", () => {
    const schema = { properties: { a: { default: 1 }, b: {} }, required: ["a", "b"] };
    expect(membersOf(schema, {}).map(({ required }) => required)).toEqual([false, true]);
  });

  it("follows references within the schema, and stops at circles", () => {
    const root = { $defs: { a: { type: "string" }, b: { $ref: "#/$defs/b" } } };
    expect(resolved({ $ref: "#/$defs/a", title: "A" }, root)).toEqual({ type: "string", title: "A" });
    expect(resolved({ $ref: "#/$defs/b" }, root)).toHaveProperty("$ref");
    expect(resolved({ $ref: "#/$defs/gone" }, root)).toEqual({});
  });

  it("recognises the branch of a union by the value", () => {
    const variants = variantsOf(NEXT, {})!;
    expect(variants.map(({ label }) => label)).toEqual(["Link", "URL", "Query"]);
    const shapeOf = (value: unknown) => variants.findIndex(({ schema }) => looksLike(value, schema, {}));
    expect([shapeOf("link"), shapeOf({ url: "" }), shapeOf({ query: {} }), shapeOf(7)]).toEqual([0, 1, 2, -1]);
    expect(variants.map(({ schema }) => shapeOf(initialValueOf(schema, {})))).toEqual([0, 1, 2]);
  });

  it("knows by which labels a place in the data is found", () => {
    const schema = {
      properties: {
        api_key: {},
        next: NEXT,
        act: ACTIONS,
        headers: { additionalProperties: { type: "string" } },
        list: { items: { properties: { to: { title: "Receiver" } } } },
      },
    };
    const value = { next: { url: "" }, act: { action: "search" }, list: [{}], headers: {} };
    const at = (pointer: string) => {
      const { labels, rest } = labelsAt(schema, value, pointer);
      return [...labels, rest];
    };
    expect(at("/api_key")).toEqual(["API key", ""]);
    expect(at("/next/url")).toEqual(["Next", "URL", ""]);
    expect(at("/act/query")).toEqual(["Act", "Query", ""]);
    expect(at("/act/content")).toEqual(["Act", "/content"]);
    expect(at("/headers/x~1y")).toEqual(["Headers", "x/y", ""]);
    expect(at("/list/0/to")).toEqual(["List", "Item 1", "Receiver", ""]);
    expect(at("/api_key/a~1b/c")).toEqual(["API key", "/a~1b/c"]);
    expect(at("/gone")).toEqual(["/gone"]);
    expect(at("")).toEqual([""]);
  });

  it("finds the field on which others depend", () => {
    expect(discriminatorOf(variantsOf(ACTIONS, {})!, {})).toBe("action");
    expect(discriminatorOf(variantsOf(NEXT, {})!, {})).toBeUndefined();
  });

  it("shows short values on one line, and unwraps a union with null", () => {
    expect(variantsOf({ anyOf: [{ type: "string" }, { type: "number" }] }, {})).toBeUndefined();
    expect(variantsOf({ anyOf: [{ type: "boolean" }, { type: "object" }] }, {})).toHaveLength(2);
    expect(unwrapped({ anyOf: [{ type: "string" }, { type: "null" }], title: "T" }, {})).toEqual({
      type: "string",
      title: "T",
    });
  });

  it("starts a value with its required members", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string" }, on: { type: "boolean" }, n: { type: "integer", minimum: 3 }, more: {} },
      required: ["id", "on", "n"],
    };
    expect(initialValueOf(schema, {})).toEqual({ id: "", on: true, n: 3 });
  });
});

describe("a duration", () => {
  it.each([
    [1, "ms"],
    [1_500, "ms"],
    [90_000, "s"],
    [120_000, "min"],
    [86_400_000, "d"],
    [0, "ms"],
  ])("of %s ms is shown in %s", (ms, unit) => {
    expect(unitOf(ms)).toBe(unit);
    expect((ms / msOf(unitOf(ms))) * msOf(unitOf(ms))).toBe(ms);
  });
});
