import { type Condition, filterOf, keysOf } from "../../console/pages/knowledge-base/conditions.ts";

const row = (key: string, comparison: Condition["comparison"], value: string): Condition => ({
  ...{ key, comparison, value },
});

it("builds the filter of a search from what is typed", () => {
  const rows = [
    row(" lang ", "is", "en"),
    row("year", "oneOf", "2024, 2025"),
    row("draft", "isNot", "true"),
    row("code", "noneOf", '"7", x'),
    row("", "is", "without a key"),
    row("empty", "is", " "),
  ];
  expect(filterOf(rows)).toEqual({
    "metadata.lang": "en",
    "metadata.year": { $in: [2024, 2025] },
    "metadata.draft": { $ne: true },
    "metadata.code": { $nin: ["7", "x"] },
  });
  expect(filterOf([row("", "is", "")])).toBeUndefined();
});

it("suggests the keys of short values", () => {
  expect(keysOf([{ metadata: { lang: "en", tags: ["a"] } }, { metadata: { year: 2024, lang: "no" } }])).toEqual([
    "lang",
    "year",
  ]);
});
