import type { Filter } from "../../adapters/store/port.ts";
import { type Bench, ids, type Item } from "./collections.ts";

const T = (ms: number): Date => new Date(ms);

/** Named by what tells them apart. */
const DOCUMENTS: Item[] = [
  { id: "a", name: "A", order: 1, done: true, at: T(1), tags: ["x", "y"], lease: { owner: "me", until: T(10) } },
  { id: "b", name: "B", order: 2, done: false, at: T(2), tags: ["y"], lease: { owner: "you" } },
  { id: "c", name: "a", order: 2.5, at: T(3), tags: [], lease: {} },
  { id: "d", name: "é", order: null, done: true, at: null, lease: { owner: null } },
  { id: "e", name: "10", state: "done" },
];

const CASES: [filter: Filter<Item>, expected: string][] = [
  [{}, "abcde"],
  [{ name: "A" }, "a"],
  [{ order: 2 }, "b"],
  [{ done: true }, "ad"],
  [{ done: false }, "b"],
  [{ at: T(2) }, "b"],
  [{ order: null }, "de"],
  [{ at: null }, "de"],
  [{ "lease.owner": null }, "cde"],
  [{ "lease.owner": "me" }, "a"],
  [{ "lease.until": { $lte: T(10) } }, "a"],
  [{ order: { $eq: 2.5 } }, "c"],
  [{ order: { $eq: null } }, "de"],
  [{ order: { $ne: 2 } }, "acde"],
  [{ order: { $ne: null } }, "abc"],
  [{ done: { $ne: true } }, "bce"],
  [{ order: { $gt: 2 } }, "c"],
  [{ order: { $gte: 2 } }, "bc"],
  [{ order: { $lt: 2 } }, "a"],
  [{ order: { $lte: 2 } }, "ab"],
  [{ order: { $gt: 1, $lt: 2.5 } }, "b"],
  [{ name: { $gt: "B" } }, "cd"],
  [{ name: { $lt: "A" } }, "e"],
  [{ at: { $gt: T(1), $lte: T(3) } }, "bc"],
  [{ order: { $in: [1, 2.5, 99] } }, "ac"],
  [{ order: { $in: [1, null] } }, "ade"],
  [{ order: { $in: [] } }, ""],
  [{ done: { $in: [false] } }, "b"],
  [{ at: { $in: [T(1), T(3)] } }, "ac"],
  [{ order: { $nin: [1, 2] } }, "cde"],
  [{ order: { $nin: [1, null] } }, "bc"],
  [{ order: { $nin: [] } }, "abcde"],
  [{ order: { $exists: true } }, "abcd"],
  [{ order: { $exists: false } }, "e"],
  [{ "lease.owner": { $exists: true } }, "abd"],
  [{ tags: { $exists: true } }, "abc"],
  [{ tags: { $exists: false } }, "de"],
  [{ tags: "y" }, "ab"],
  [{ tags: { $in: ["x", "z"] } }, "a"],
  [{ tags: { $ne: "x" } }, "bcde"],
  [{ tags: { $nin: ["x", "y"] } }, "cde"],
  [{ tags: null }, "de"],
  [{ tags: { $ne: null } }, "abc"],
  [{ $and: [{ done: true }, { order: 1 }] }, "a"],
  [{ $or: [{ order: 1 }, { name: "é" }] }, "ad"],
  [{ state: "open", $or: [{ order: { $gt: 1 } }, { at: null }] }, "bcd"],
  [{ $and: [{ $or: [{ id: "a" }, { id: "b" }] }, { done: { $ne: false } }] }, "a"],
  [{ id: { $in: ["a", "e", "nobody"] } }, "ae"],
  [{ id: { $gt: "c" } }, "de"],
];

const REFUSED: [name: string, filter: unknown][] = [
  ["$where", { $where: "true" }],
  ["$nor", { $nor: [{ order: 1 }] }],
  ["$expr", { $expr: { $eq: [1, 1] } }],
  ["$text", { $text: { $search: "a" } }],
  ["$regex", { name: { $regex: "." } }],
  ["$not", { order: { $not: { $gt: 1 } } }],
  ["$elemMatch", { tags: { $elemMatch: { $eq: "x" } } }],
  ["an operator from the prototype", { order: { constructor: 1 } }],
  ["a regular expression", { name: /a/ }],
  ["an unknown field", { colour: "red" }],
  ["a whole object", { lease: { owner: "me" } }],
  ["a path into a list", { "tags.0": "x" }],
  ["free-form JSON", { body: 1 }],
  ["a path into free-form JSON", { "body.a": 1 }],
  ["undefined", { order: undefined }],
  ["a value of another type", { order: "2" }],
  ["text for a date", { at: "2024-01-01" }],
  ["NaN", { order: Number.NaN }],
  ["a comparison with null", { order: { $gt: null } }],
  ["a comparison of a list", { tags: { $gt: "a" } }],
  ["an object without operators", { order: {} }],
  ["a plain value beside an operator", { order: { $gt: 1, a: 2 } }],
  ["$in without a list", { order: { $in: 1 } }],
  ["$exists with a number", { order: { $exists: 1 } }],
  ["an empty $or", { $or: [] }],
  ["null", null],
  ["a list", [{ order: 1 }]],
];

export function describeFilters(bench: () => Bench): void {
  describe("filters", () => {
    let shared: Bench;
    const named = (name: string) => `${shared.workspaceId}-${name}`;
    /** The documents' ids are global; the cases name them shortly. */
    const spelled = (filter: unknown): unknown =>
      Array.isArray(filter)
        ? filter.map(spelled)
        : typeof filter === "object" && filter !== null && Object.getPrototypeOf(filter) === Object.prototype
          ? Object.fromEntries(
              Object.entries(filter).map(([key, value]) => [key, key === "id" ? long(value) : spelled(value)]),
            )
          : filter;
    const long = (value: unknown): unknown =>
      typeof value === "string"
        ? named(value)
        : Object.fromEntries(
            Object.entries(value as object).map(([key, inner]: [string, string | string[]]) => [
              key,
              Array.isArray(inner) ? inner.map(named) : named(inner),
            ]),
          );

    beforeAll(async () => {
      shared = bench();
      await shared.items.insertMany(DOCUMENTS.map(item => ({ ...item, id: named(item.id) })));
    });

    test.each(CASES)("%j finds %s", async (filter, expected) => {
      const asked = spelled(filter) as Filter<Item>;
      const { items } = await shared.items.find(asked, { limit: 100 });
      expect(
        ids(items)
          .map(found => found.at(-1))
          .join(""),
      ).toBe(expected);
      expect(await shared.items.count(asked)).toBe(expected.length);
      for (const { id } of DOCUMENTS) {
        const byId = await shared.items.get({ $and: [{ id: named(id) }, asked] });
        expect(byId).toEqual(items.find(item => item.id === named(id)) ?? null);
      }
    });

    test.each(REFUSED)("%s is refused everywhere", async (_, filter) => {
      const refused = { code: "invalid_filter" };
      const asked = filter as Filter<Item>;
      const { items } = shared;
      await expect(items.get(asked)).rejects.toMatchObject(refused);
      await expect(items.find(asked, { limit: 1 })).rejects.toMatchObject(refused);
      await expect(items.count(asked)).rejects.toMatchObject(refused);
      await expect(items.tally(asked, "name")).rejects.toMatchObject(refused);
      await expect(items.remove(asked)).rejects.toMatchObject(refused);
      await expect(items.updateOne(asked, { $set: { count: 9 } })).rejects.toMatchObject(refused);
      await expect(items.updateMany(asked, { $set: { count: 9 } })).rejects.toMatchObject(refused);
      expect(() => items.ops.remove(asked)).toThrow();
      expect(await items.count({ count: 0 })).toBe(DOCUMENTS.length);
    });

    test("a filter nested too deeply is refused", async () => {
      let filter: Filter<Item> = { order: 1 };
      for (let depth = 0; depth < 20; depth++) filter = { $and: [filter] };
      await expect(shared.items.count(filter)).rejects.toMatchObject({ code: "invalid_filter" });
    });

    test("a count with a limit stops there", async () => {
      expect(await shared.items.count({}, { limit: 3 })).toBe(3);
      expect(await shared.items.count({ order: 1 }, { limit: 3 })).toBe(1);
      await expect(shared.items.count({}, { limit: 0 })).rejects.toMatchObject({ code: "invalid_filter" });
    });

    test("a tally counts by value and leaves out documents without one", async () => {
      const { items } = shared;
      expect(await items.tally({}, "state")).toEqual({ open: 4, done: 1 });
      expect(await items.tally({}, "state", "order")).toEqual({ open: 5.5, done: 0 });
      await expect(items.tally({}, "state", "done")).rejects.toMatchObject({ code: "invalid_filter" });
      expect(await items.tally({ order: { $ne: 1 } }, "done")).toEqual({ true: 1, false: 1 });
      expect(await items.tally({}, "order")).toEqual({ "1": 1, "2": 1, "2.5": 1 });
      expect(await items.tally({}, "lease.owner")).toEqual({ me: 1, you: 1 });
      await expect(items.tally({}, "tags")).rejects.toMatchObject({ code: "invalid_filter" });
      await expect(items.tally({}, "body")).rejects.toMatchObject({ code: "invalid_filter" });
    });
  });
}
