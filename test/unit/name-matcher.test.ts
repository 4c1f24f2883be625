import { nameMatcher } from "../../core/search/name-matcher.ts";

const score = (question: string, title: string, subtitle: string | null = null) =>
  nameMatcher(question)({ title, subtitle });

it("finds words anywhere in a name, in any case and without accents", () => {
  expect(score("ship", "Ship an order")).toBeGreaterThan(0);
  expect(score("ORDER ship", "Ship an order")).toBeGreaterThan(0);
  expect(score("uber", "Über die Brücke")).toBeGreaterThan(0);
  expect(score("ship parcel", "Ship an order")).toBe(0);
  expect(score("  ", "Ship an order")).toBe(0);
});

it("prefers the whole name, then its beginning, the beginning of a word, a part, and the texts below", () => {
  const names = ["Order", "Order book", "New order", "Reorder", "Shop"];
  const scores = names.map(name => score("order", name, name === "Shop" ? "takes orders" : null));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(scores).size).toBe(names.length);
});
