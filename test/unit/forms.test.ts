import { isCheapAnswer, isCheapForm } from "../../core/forms/cheap-form.ts";
import { checkForm, proveForm } from "../../core/forms/check-form.ts";

const SIMPLE = {
  title: "Pay",
  type: "object",
  properties: {
    amount: { type: "integer", minimum: 1 },
    how: { enum: ["card", "cash"] },
    tags: { type: "array", items: { type: "string", maxLength: 10 }, maxItems: 3 },
    on: { type: "string", format: "date" },
  },
  required: ["amount"],
  additionalProperties: false,
};

it("finds simple forms cheap to check, and accepts them as schemas", () => {
  expect(isCheapForm(SIMPLE)).toBe(true);
  expect(proveForm(SIMPLE)).toEqual({ faults: [] });
});

it.each<[string, unknown]>([
  ["a pattern", { properties: { a: { pattern: "a" } } }],
  ["patterns of names", { patternProperties: { "^a": {} } }],
  ["items compared with each other", { uniqueItems: true }],
  ["a reference", { items: { $ref: "#" } }],
  ["schemas of schemas", { anyOf: [{}, {}] }],
  ["a condition", { if: {}, then: {} }],
  ["a slow format", { format: "url" }],
  ["a word that we do not know", { wat: { $ref: "#" } }],
  ["an id", { $id: "http://a" }],
  ["a keyword of another type", { required: 5 }],
  ["long lists", { enum: Array.from({ length: 101 }, (_, i) => i) }],
  ["much depth", Array.from({ length: 30 }).reduce<object>(items => ({ items }), {})],
  ["much text", { title: "x".repeat(9_000) }],
])("finds a form with %s expensive", (_, form) => {
  expect(isCheapForm(form)).toBe(false);
});

it("finds a large answer expensive", () => {
  expect([isCheapAnswer(undefined), isCheapAnswer({ a: 1 }), isCheapAnswer("x".repeat(5_000))]).toEqual([
    true,
    true,
    false,
  ]);
});

it("says which parts of the data are invalid, and where", () => {
  expect(checkForm(SIMPLE, { amount: 1, how: "card", tags: ["a"], on: "2026-02-28" })).toEqual({ faults: [] });
  const { faults } = checkForm(SIMPLE, { amount: 0, tags: [1] });
  expect(faults?.map(({ path }) => path)).toEqual(expect.arrayContaining(["/data/amount", "/data/tags/0"]));
  expect(checkForm({ type: "array", items: { type: "string" } }, Array(200).fill(1)).faults).toHaveLength(50);
});

it.each<[string, unknown, RegExp]>([
  ["refers to itself", { $ref: "#" }, /endlessly/],
  ["refers to nothing", { $ref: "#/nowhere" }, /Unresolved/],
  ["has a pattern that is none", { properties: { a: { pattern: "(" } } }, /regular expression/],
  ["has a name's pattern that is none", { patternProperties: { "(": {} } }, /regular expression/],
  ["has a number as its list", { properties: { a: { required: 5 } } }, /`required` must be/],
  ["has text as its schema", { properties: { a: "string" } }, /`schema` must be/],
])("rejects a form that %s", (_, form, reason) => {
  expect(proveForm(form).broken).toMatch(reason);
});
