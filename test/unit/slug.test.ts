import fc from "fast-check";
import { slug } from "../../contracts/primitives.ts";
import { slugify, suffixesOf, withSuffix } from "../../core/slug.ts";

test.each([
  ["Acme Inc.", "acme-inc"],
  ["  --Öl & Gas-- ", "ol-gas"],
  ["Straße nach Ærø", "strasse-nach-aero"],
  ["İstanbul", "istanbul"],
  ["ﬁve½", "five1-2"],
  ["東京", "fallback"],
  ["🎉", "fallback"],
  ["", "fallback"],
])("turns %j into the slug %j", (text, expected) => {
  expect(slugify(text, "fallback")).toBe(expected);
});

test("gives any text a slug that the contract accepts, with a suffix too", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.uuid(), (text, id) => {
      const own = slugify(text, "workspace");
      expect(slug.safeParse(own).success).toBe(true);
      for (const suffix of suffixesOf(id)) {
        expect(slug.safeParse(withSuffix(own, suffix)).success).toBe(true);
        expect(withSuffix(own, suffix)).toMatch(new RegExp(`-${suffix}$`));
      }
    }),
  );
});

test("keeps the beginning of a long name when a suffix is added", () => {
  expect(withSuffix("a".repeat(80), "123456")).toBe(`${"a".repeat(73)}-123456`);
});
