import { matchesTag } from "../../core/if-match.ts";
import { changedContent } from "../../core/workflow-versions.ts";

const current = { name: "n", description: "d", definition: { a: [1, { b: null }], c: "x" } };

test("creates no version for a change without effect", () => {
  expect(changedContent(current, {})).toBeNull();
  expect(changedContent(current, { name: "n", description: "d" })).toBeNull();
  expect(changedContent(current, { definition: { c: "x", a: [1, { b: null }] } })).toBeNull();
  expect(changedContent(current, { name: undefined, definition: undefined })).toBeNull();
});

test.each([
  { name: "m" },
  { description: "" },
  { definition: null },
  { definition: { a: [{ b: null }, 1], c: "x" } },
  { definition: { a: [1, {}], c: "x" } },
  { definition: { a: [1, { b: null }], c: "x", d: false } },
])("recognises %j as a change", change => {
  expect(changedContent(current, change)).toEqual({ ...current, ...change });
});

test("accepts a star or a list with the strong tag in If-Match", () => {
  expect(matchesTag("*", '"1-a"')).toBe(true);
  expect(matchesTag('"1-a"', '"1-a"')).toBe(true);
  expect(matchesTag('"0-z" ,"1-a"', '"1-a"')).toBe(true);
  expect(matchesTag('W/"1-a"', '"1-a"')).toBe(false);
  expect(matchesTag('"2-a"', '"1-a"')).toBe(false);
  expect(matchesTag("1-a", '"1-a"')).toBe(false);
  expect(matchesTag("", '"1-a"')).toBe(false);
});
