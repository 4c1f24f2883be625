import { TenancyError } from "../../adapters/store/errors.ts";
import type { Change } from "../../adapters/store/port.ts";
import { id, ids, type Bench } from "./collections.ts";
import type { Item, Slot } from "./collections.ts";

const conflict = { code: "unique_conflict" };

export function describeWrites(bench: () => Bench): void {
  describe("unique values", () => {
    test("an id is taken once", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      await expect(items.insert({ id: made.id, name: "b" })).rejects.toMatchObject({
        ...conflict,
        collection: "items",
        fields: ["id"],
      });
      expect((await items.get({ id: made.id }))?.name).toBe("a");
    });

    test("a compound index is taken once", async () => {
      const { slots } = bench();
      const key = id();
      await slots.insert({ id: id(), key, seq: 1 });
      await expect(slots.insert({ id: id(), key, seq: 1 })).rejects.toMatchObject({
        ...conflict,
        fields: ["key", "seq"],
      });
      await expect(slots.insert({ id: id(), key, seq: 2 })).resolves.toMatchObject({ seq: 2 });
    });

    test("a partial index binds only those it is about", async () => {
      const { slots } = bench();
      const [key, email] = [id(), id()];
      await slots.insertMany([1, 2, 3].map(seq => ({ id: id(), key, seq, main: false })));
      await slots.insert({ id: id(), key, seq: 4, main: true, email });
      await expect(slots.insert({ id: id(), key, seq: 5, main: true })).rejects.toMatchObject({
        ...conflict,
        fields: ["key"],
      });
      await expect(slots.insert({ id: id(), key, seq: 6, email })).rejects.toMatchObject({
        ...conflict,
        fields: ["email"],
      });
      await expect(slots.updateOne({ key, seq: 1 }, { $set: { main: true } })).rejects.toMatchObject(conflict);
      expect(await slots.updateOne({ key, seq: 4 }, { $set: { main: false } })).toMatchObject({ main: false });
      expect(await slots.updateOne({ key, seq: 1 }, { $set: { main: true } })).toMatchObject({ main: true });
    });

    test("a batch inserts all but those in conflict, and names them", async () => {
      const { slots } = bench();
      const key = id();
      await slots.insert({ id: id(), key, seq: 3 });
      const batch = [1, 2, 3, 2, 4].map((seq): Slot => ({ id: id(), key, seq }));
      await expect(slots.insertMany(batch)).rejects.toMatchObject({
        ...conflict,
        indexes: [2, 3],
        fields: ["key", "seq"],
      });
      const { items } = await slots.find({ key }, { sort: { seq: 1 }, limit: 10 });
      expect(items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    });

    test("a batch with a wrong document inserts nothing", async () => {
      const { items } = bench();
      const wrong = [{ id: id(), name: "a" }, { id: id() } as Item];
      await expect(items.insertMany(wrong)).rejects.toMatchObject({ code: "invalid_document" });
      expect(await items.count({})).toBe(0);
      expect(await items.insertMany([])).toEqual([]);
    });

    test("of twenty who insert the same at once one succeeds, and nobody else is hurt", async () => {
      const { slots } = bench();
      const key = id();
      const tries = Array.from({ length: 20 }, () => slots.insert({ id: id(), key, seq: 1 }));
      const bystander = slots.insert({ id: id(), key, seq: 2 });
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expect(bystander).resolves.toMatchObject({ seq: 2 });
      expect(await slots.count({ key })).toBe(2);
    });
  });

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

    test("what is missing is made: objects, numbers, lists", async () => {
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
      ["$push to what is no list", { $push: { name: "x" } }],
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

  describe("compare-and-set", () => {
    test("gives back the new document, or null where nothing matches", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      expect(await items.updateOne({ id: made.id, state: "open" }, { $set: { state: "taken" } })).toEqual({
        ...made,
        state: "taken",
      });
      expect(await items.updateOne({ id: made.id, state: "open" }, { $set: { state: "done" } })).toBeNull();
      expect((await items.get({ id: made.id }))?.state).toBe("taken");
    });

    test("of fifty at once one wins", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          items.updateOne({ id: made.id, state: "open" }, { $set: { state: "taken", "lease.owner": `w${n}` } }),
        ),
      );
      const winners = answers.filter(answer => answer !== null);
      expect(winners).toHaveLength(1);
      expect(await items.get({ id: made.id })).toEqual(winners[0]);
    });

    test("fifty increments at once are fifty", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      await Promise.all(Array.from({ length: 50 }, () => items.updateOne({ id: made.id }, { $inc: { count: 1 } })));
      expect((await items.get({ id: made.id }))?.count).toBe(50);
    });

    test("with a sort takes the first, and nulls come first", async () => {
      const { items } = bench();
      const [, low, none] = await items.insertMany(
        [{ order: 2 }, { order: 1 }, {}].map(rest => ({ id: id(), name: "a", ...rest })),
      );
      const take = () => items.updateOne({ state: "open" }, { $set: { state: "taken" } }, { sort: { order: 1 } });
      expect((await take())?.id).toBe(none?.id);
      expect((await take())?.id).toBe(low?.id);
    });

    test("twenty claimers at once each get another document, the lowest first", async () => {
      const { items } = bench();
      await items.insertMany(Array.from({ length: 30 }, (_, order) => ({ id: id(), name: "a", order })));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          items.updateOne(
            { state: "open" },
            { $set: { state: "taken", "lease.owner": `w${n}` } },
            { sort: { order: 1 } },
          ),
        ),
      );
      expect(new Set(claims.map(claim => claim?.id)).size).toBe(20);
      expect(claims.map(claim => claim?.order).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
        Array.from({ length: 20 }, (_, n) => n),
      );
      expect(await items.count({ state: "open" })).toBe(10);
    });
  });

  describe("several writes", () => {
    test("are done in order, across collections", async () => {
      const { store, items, slots } = bench();
      const [a, key] = [id(), id()];
      const counts = await store.write([
        slots.ops.insert({ id: id(), key, seq: 1 }),
        items.ops.insert({ id: a, name: "a" }),
        items.ops.updateOne({ id: a }, { $inc: { count: 1 } }),
        items.ops.updateMany({ count: 1 }, { $set: { state: "done", body: { x: 1 } } }),
        items.ops.updateOne({ id: "nobody" }, { $set: { state: "done" } }),
        slots.ops.remove({ key: "nobody" }),
      ]);
      expect(counts).toEqual([1, 1, 1, 1, 0, 0]);
      expect(await items.get({ id: a })).toMatchObject({ count: 1, state: "done", body: { x: 1 } });
      expect(await store.write([])).toEqual([]);
    });

    test("stop at the first failure, which is thrown", async () => {
      const { store, items, slots } = bench();
      const key = id();
      await slots.insert({ id: id(), key, seq: 1 });
      const writes = [slots.ops.insert({ id: id(), key, seq: 1 }), items.ops.insert({ id: id(), name: "behind" })];
      await expect(store.write(writes)).rejects.toMatchObject({ ...conflict, collection: "slots" });
      expect(await items.count({})).toBe(0);
    });

    test("an update that must match stops what is behind it", async () => {
      const { store, items } = bench();
      const gone = items.ops.updateOne({ id: "nobody" }, { $set: { state: "done" } }, { required: true });
      await expect(store.write([gone, items.ops.insert({ id: id(), name: "behind" })])).rejects.toMatchObject({
        code: "not_matched",
      });
      expect(await items.count({})).toBe(0);
    });

    test("mistakes in their arguments are thrown when they are made", () => {
      const { items } = bench();
      expect(() => items.ops.insert({ id: id() } as Item)).toThrow("required");
      expect(() => items.ops.updateOne({ $where: "1" } as never, { $set: { name: "b" } })).toThrow("$where");
      expect(() => items.ops.updateMany({}, { $set: { colour: 1 } } as never)).toThrow("colour");
      expect(() => items.ops.insert({ id: id(), name: "a", workspaceId: "another" })).toThrow(TenancyError);
    });
  });

  test("what was acknowledged is read at once", async () => {
    const { items } = bench();
    for (let n = 0; n < 50; n++) {
      const made = await items.insert({ id: id(), name: `n${n}` });
      expect(await items.get({ id: made.id })).toEqual(made);
    }
  });
}
