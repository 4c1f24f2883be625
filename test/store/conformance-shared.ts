import { id, type Bench } from "./collections.ts";

export function describeShared(bench: () => Bench): void {
  describe("a shared read", () => {
    test("returns what get returns, also after concurrent writes", async () => {
      const { items, store, workspaceId } = bench();
      const filter = { name: "a", state: "open" } as const;
      const same = async (): Promise<void> => {
        const [shared, again] = [await items.shared(filter), await items.shared(filter)];
        expect(shared).toEqual(await items.get(filter));
        expect(again).toEqual(shared);
      };
      await same();
      const made = await items.insert({ id: id(), name: "a", body: { deep: [1] }, at: new Date(5) });
      await same();
      expect(await items.shared(filter)).toMatchObject({ id: made.id, body: { deep: [1] }, at: new Date(5) });
      await items.updateOne({ id: made.id }, { $set: { count: 2, body: null } });
      await same();
      await store.write([items.ops.updateMany({}, { $set: { state: "done" } })]);
      expect(await items.shared(filter)).toBeNull();
      await items.updateMany({}, { $set: { state: "open" } });
      await same();
      await items.remove({});
      expect(await items.shared(filter)).toBeNull();
      await items.insertMany([{ id: id(), name: "a", workspaceId }]);
      await same();
    });

    test("requires and rejects the same arguments as get", async () => {
      const { items } = bench();
      await items.insert({ id: id(), name: "b", order: 4 });
      expect(await items.shared({ order: { $gt: 3 } })).toMatchObject({ name: "b" });
      await expect(items.shared({ nowhere: "b" } as never)).rejects.toMatchObject({ code: "invalid_filter" });
      await expect(items.shared({ workspaceId: "other" })).rejects.toMatchObject({ code: "tenancy" });
      await expect(items.shared({ name: undefined })).rejects.toMatchObject({ code: "invalid_filter" });
      expect(await items.shared({ name: "b" })).not.toBeNull();
      await expect(items.shared({ name: 1 } as never)).rejects.toMatchObject({ code: "invalid_filter" });
    });

    test("returns its own document to each of many concurrent readers", async () => {
      const [here, there] = [bench(), bench()];
      const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
      await here.items.insertMany(names.map(name => ({ id: id(), name, body: { of: name }, at: new Date(7) })));
      const ask = (name: string) => here.items.shared({ name });
      const asked = await Promise.all([...names, "absent", "n3"].map(ask));
      expect(asked[12]).toBeNull();
      for (const [place, name] of [...names.entries(), [13, "n3"] as const])
        expect(asked[place]).toEqual(await here.items.get({ name }));
      expect(await Promise.all([ask("n0"), there.items.shared({ name: "n0" })])).toEqual([asked[0], null]);
    });

    test("stays within its workspace", async () => {
      const [here, there] = [bench(), bench()];
      const made = await here.items.insert({ id: id(), name: "c" });
      expect(await here.items.shared({ id: made.id })).toMatchObject({ name: "c" });
      expect(await there.items.shared({ id: made.id })).toBeNull();
      expect(await here.items.shared({ id: made.id })).toMatchObject({ name: "c" });
    });
  });
}
