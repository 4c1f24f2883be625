import type { Change } from "../../adapters/store/port.ts";
import { id, ids, type Bench, type Item } from "./collections.ts";

export function describeChanges(bench: () => Bench): void {
  describe("changes", () => {
    const item = (): Item => ({
      id: id(),
      name: "a",
      order: 1,
      at: new Date(1),
      tags: ["x"],
      lease: { owner: "me", until: new Date(2) },
      body: { a: 1 },
    });

    test.each<[string, Change<Item>, Partial<Item>]>([
      ["$set", { $set: { name: "b", at: new Date(9) } }, { name: "b", at: new Date(9) }],
      ["$set to null", { $set: { order: null, at: null } }, { order: null, at: null }],
      ["$set of a nested field", { $set: { "lease.owner": "you" } }, { lease: { owner: "you", until: new Date(2) } }],
      ["$set of a whole object", { $set: { lease: { until: new Date(7) } } }, { lease: { until: new Date(7) } }],
      ["$set of a list", { $set: { tags: [] } }, { tags: [] }],
      [
        "$set of free-form JSON",
        { $set: { body: { $b: [null] }, other: null } },
        { body: { $b: [null] }, other: null },
      ],
      ["$unset", { $unset: { order: 1, body: true } }, { order: undefined, body: undefined }],
      ["$unset of a nested field", { $unset: { "lease.owner": "" } }, { lease: { until: new Date(2) } }],
      ["$unset of a whole object", { $unset: { lease: 1 } }, { lease: undefined }],
      ["$unset of what is missing", { $unset: { done: 1 } }, {}],
      ["$inc", { $inc: { order: -2.5, count: 3 } }, { order: -1.5, count: 3 }],
      ["$push", { $push: { tags: "x" } }, { tags: ["x", "x"] }],
      [
        "several at once",
        { $set: { done: true }, $inc: { count: 1 }, $push: { tags: "y" } },
        { done: true, count: 1, tags: ["x", "y"] },
      ],
    ])("%s", async (_, change, expected) => {
      const { items } = bench();
      const made = await items.insert(item());
      const wanted: Item = { ...made, ...expected };
      for (const [field, value] of Object.entries(wanted)) if (value === undefined) delete wanted[field as keyof Item];
      expect(await items.updateOne({ id: made.id }, change)).toStrictEqual(wanted);
      expect(await items.get({ id: made.id })).toStrictEqual(wanted);
    });

    test("missing objects, numbers and lists are created", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      const change: Change<Item> = { $set: { "lease.owner": "me" }, $inc: { order: 5 }, $push: { tags: "x" } };
      expect(await items.updateOne({ id: made.id }, change)).toStrictEqual({
        ...made,
        lease: { owner: "me" },
        order: 5,
        tags: ["x"],
      });
    });

    test("$inc of null is refused and changes nothing", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a", order: null });
      const change: Change<Item> = { $set: { name: "b" }, $inc: { order: 1 } };
      await expect(items.updateOne({ id: made.id }, change)).rejects.toMatchObject({ code: "invalid_change" });
      expect(await items.get({ id: made.id })).toStrictEqual(made);
    });

    test.each<[string, unknown]>([
      ["a plain document", { name: "b" }],
      ["no change at all", {}],
      ["an empty operator", { $set: {} }],
      ["$rename", { $rename: { name: "order" } }],
      ["$pull", { $pull: { tags: "x" } }],
      ["a pipeline", [{ $set: { name: "b" } }]],
      ["an unknown field", { $set: { colour: "red" } }],
      ["an unknown nested field", { $set: { "lease.colour": "red" } }],
      ["a path into free-form JSON", { $set: { "body.a": 1 } }],
      ["a path into a list", { $set: { "tags.0": "z" } }],
      ["the id", { $set: { id: "b" } }],
      ["a wrong type", { $set: { order: "1" } }],
      ["undefined", { $set: { order: undefined } }],
      ["null for a required field", { $set: { name: null } }],
      ["unsetting a required field", { $unset: { name: 1 } }],
      ["$inc of text", { $inc: { name: 1 } }],
      ["$inc by text", { $inc: { order: "1" } }],
      ["$push to what is not a list", { $push: { name: "x" } }],
      ["$push of a list", { $push: { tags: { $each: ["x"] } } }],
      ["a path changed twice", { $set: { order: 1 }, $inc: { order: 1 } }],
      ["an object and its field", { $set: { lease: {}, "lease.owner": "x" } }],
    ])("%s is refused", async (_, change) => {
      const { items } = bench();
      const made = await items.insert(item());
      const refused = { code: "invalid_change" };
      await expect(items.updateOne({ id: made.id }, change as Change<Item>)).rejects.toMatchObject(refused);
      await expect(items.updateMany({}, change as Change<Item>)).rejects.toMatchObject(refused);
      expect(await items.get({ id: made.id })).toStrictEqual(made);
    });

    test.each<[string, Change<Item>]>([
      ["text", { $set: { name: "x".repeat(50_000_000) } }],
      ["free-form JSON", { $set: { body: "x".repeat(50_000_000) } }],
      ["a list", { $push: { tags: "x".repeat(50_000_000) } }],
    ])("%s of 50 MB is rejected, because it exceeds the size of a document", async (_, change) => {
      const { items } = bench();
      const made = await items.insert(item());
      const refused = { code: "invalid_document" };
      await expect(items.updateOne({ id: made.id }, change)).rejects.toMatchObject(refused);
      await expect(items.updateMany({}, change)).rejects.toMatchObject(refused);
      expect(await items.get({ id: made.id })).toStrictEqual(made);
    });

    test("updateMany changes every match and counts them", async () => {
      const { items } = bench();
      await items.insertMany([1, 2, 3].map(order => ({ id: id(), name: "a", order })));
      expect(
        await items.updateMany({ order: { $gte: 2 } }, { $set: { state: "done", body: [1] }, $inc: { count: 1 } }),
      ).toBe(2);
      expect(await items.count({ state: "done", count: 1 })).toBe(2);
      expect(await items.updateMany({ order: 99 }, { $set: { state: "done" } })).toBe(0);
    });

    test("remove removes every match, or the first by id", async () => {
      const { items } = bench();
      const made = await items.insertMany(
        [5, 4, 3, 2, 1].map((order, n) => ({ id: `${id()}-${n}`, name: "a", order })),
      );
      const sorted = ids(made).sort();
      expect(await items.remove({ order: { $lt: 9 } }, { limit: 2 })).toBe(2);
      expect(ids((await items.find({}, { limit: 9 })).items)).toEqual(sorted.slice(2));
      expect(await items.remove({})).toBe(3);
      expect(await items.remove({})).toBe(0);
    });
  });
}
