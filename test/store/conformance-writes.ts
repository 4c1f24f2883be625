import { TenancyError } from "../../adapters/store/errors.ts";
import { type Bench, id, type Item, type Slot } from "./collections.ts";

const conflict = { code: "unique_conflict" };

export function describeWrites(bench: () => Bench): void {
  describe("unique values", () => {
    test("an id can be inserted only once", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      await expect(items.insert({ id: made.id, name: "b" })).rejects.toMatchObject({
        ...conflict,
        collection: "items",
        fields: ["id"],
      });
      expect((await items.get({ id: made.id }))?.name).toBe("a");
    });

    test("a combination of indexed values can be inserted only once", async () => {
      const { slots } = bench();
      const key = id();
      await slots.insert({ id: id(), key, seq: 1 });
      await expect(slots.insert({ id: id(), key, seq: 1 })).rejects.toMatchObject({
        ...conflict,
        fields: ["key", "seq"],
      });
      await expect(slots.insert({ id: id(), key, seq: 2 })).resolves.toMatchObject({ seq: 2 });
    });

    test("a partial index applies only to the documents that it covers", async () => {
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

    test("a write may require values to be free without storing them", async () => {
      const { slots, store } = bench();
      const [key, email] = [id(), id()];
      const passed = (seq: number) => slots.ops.insert({ id: id(), key, seq }, { email });
      expect(await store.write([passed(1), slots.ops.insert({ id: id(), key, seq: 2 }), passed(3)])).toEqual([1, 1, 1]);
      expect(await slots.count({ email })).toBe(0);
      const holder = await slots.insert({ id: id(), key, seq: 4, email });
      const others = slots.ops.updateOne({ key, seq: 1 }, { $set: { main: true } });
      await expect(store.write([passed(5), others])).rejects.toMatchObject({ ...conflict, fields: ["email"] });
      expect(await slots.get({ key, seq: 1 })).not.toHaveProperty("main", true);
      // The values that it keeps are unique as ever.
      await slots.updateOne({ id: holder.id }, { $unset: { email: 1 } });
      await expect(store.write([passed(4)])).rejects.toMatchObject({ ...conflict, fields: ["key", "seq"] });
      await store.write([passed(5)]);
      expect(await slots.count({ key })).toBe(5);
      expect(await slots.count({ email })).toBe(0);
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

    test("of twenty concurrent inserts of one value, one succeeds, and other inserts are unaffected", async () => {
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

  describe("compare-and-set", () => {
    test("returns the new document, or null if nothing matches", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      expect(await items.updateOne({ id: made.id, state: "open" }, { $set: { state: "taken" } })).toEqual({
        ...made,
        state: "taken",
      });
      expect(await items.updateOne({ id: made.id, state: "open" }, { $set: { state: "done" } })).toBeNull();
      expect((await items.get({ id: made.id }))?.state).toBe("taken");
    });

    test("lets exactly one of fifty concurrent changes succeed", async () => {
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

    test("adds up fifty concurrent increments", async () => {
      const { items } = bench();
      const made = await items.insert({ id: id(), name: "a" });
      await Promise.all(Array.from({ length: 50 }, () => items.updateOne({ id: made.id }, { $inc: { count: 1 } })));
      expect((await items.get({ id: made.id }))?.count).toBe(50);
    });

    test("changes the first document of the given sort, with nulls first", async () => {
      const { items } = bench();
      const [, low, none] = await items.insertMany(
        [{ order: 2 }, { order: 1 }, {}].map(rest => ({ id: id(), name: "a", ...rest })),
      );
      const take = () => items.updateOne({ state: "open" }, { $set: { state: "taken" } }, { sort: { order: 1 } });
      expect((await take())?.id).toBe(none?.id);
      expect((await take())?.id).toBe(low?.id);
    });

    test("gives each of twenty concurrent claimers a different document, the lowest first", async () => {
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

  describe("a list of writes", () => {
    test("is applied in order, across collections", async () => {
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

    test("stops at the first failure, which is thrown", async () => {
      const { store, items, slots } = bench();
      const key = id();
      await slots.insert({ id: id(), key, seq: 1 });
      const writes = [slots.ops.insert({ id: id(), key, seq: 1 }), items.ops.insert({ id: id(), name: "behind" })];
      await expect(store.write(writes)).rejects.toMatchObject({ ...conflict, collection: "slots" });
      expect(await items.count({})).toBe(0);
    });

    test("stops at a required update that matches no document", async () => {
      const { store, items } = bench();
      const gone = items.ops.updateOne({ id: "nobody" }, { $set: { state: "done" } }, { required: true });
      await expect(store.write([gone, items.ops.insert({ id: id(), name: "behind" })])).rejects.toMatchObject({
        code: "not_matched",
      });
      expect(await items.count({})).toBe(0);
    });

    test("throws at once on invalid arguments", () => {
      const { items } = bench();
      expect(() => items.ops.insert({ id: id() } as Item)).toThrow("required");
      expect(() => items.ops.updateOne({ $where: "1" } as never, { $set: { name: "b" } })).toThrow("$where");
      expect(() => items.ops.updateMany({}, { $set: { colour: 1 } } as never)).toThrow("colour");
      expect(() => items.ops.insert({ id: id(), name: "a", workspaceId: "another" })).toThrow(TenancyError);
    });
  });

  test("is visible to the next read once it is acknowledged", async () => {
    const { items } = bench();
    for (let n = 0; n < 50; n++) {
      const made = await items.insert({ id: id(), name: `n${n}` });
      expect(await items.get({ id: made.id })).toEqual(made);
    }
  });
}
