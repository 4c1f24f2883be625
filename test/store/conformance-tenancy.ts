import { type Bench, id, ids, type Item, items, slots } from "./collections.ts";

const tenancy = { code: "tenancy" };

export function describeTenancy(bench: () => Bench): void {
  describe("tenancy", () => {
    async function two(): Promise<{ mine: Bench; theirs: Bench; item: Item }> {
      const [mine, theirs] = [bench(), bench()];
      const item = await theirs.items.insert({ id: id(), name: "theirs", tags: ["t"], at: new Date(1) });
      return { mine, theirs, item };
    }

    test("another workspace's documents are not seen", async () => {
      const { mine, item } = await two();
      expect(await mine.items.get({ id: item.id })).toBeNull();
      expect(await mine.items.get({ $or: [{ id: item.id }, { name: "theirs" }] })).toBeNull();
      expect(await mine.items.find({}, { limit: 10 })).toEqual({ items: [], next: null });
      expect(await mine.items.count({})).toBe(0);
      expect(await mine.items.tally({}, "name")).toEqual({});
    });

    test("another workspace's documents are not changed or removed", async () => {
      const { mine, theirs, item } = await two();
      expect(await mine.items.updateOne({ id: item.id }, { $set: { name: "mine" } })).toBeNull();
      expect(await mine.items.updateMany({}, { $set: { name: "mine" } })).toBe(0);
      expect(await mine.items.remove({ $or: [{ id: item.id }, { name: "theirs" }] })).toBe(0);
      const writes = [mine.items.ops.updateOne({ id: item.id }, { $set: { name: "mine" } }), mine.items.ops.remove({})];
      expect(await mine.store.write(writes)).toEqual([0, 0]);
      expect(await theirs.items.get({ id: item.id })).toEqual(item);
    });

    test("a cursor of another workspace reveals none of its documents", async () => {
      const { mine, theirs } = await two();
      await theirs.items.insert({ id: id(), name: "more" });
      const { next } = await theirs.items.find({}, { limit: 1 });
      await mine.items.insert({ id: "~last", name: "mine" }).catch(() => undefined);
      expect((await mine.items.find({}, { limit: 10, after: next })).items.every(found => found.name === "mine")).toBe(
        true,
      );
    });

    test("a document gets its workspace, and may name it itself", async () => {
      const { items: mine, workspaceId } = bench();
      expect(await mine.insert({ id: id(), name: "a" })).toMatchObject({ workspaceId });
      expect(await mine.insert({ id: id(), name: "a", workspaceId })).toMatchObject({ workspaceId });
      expect(await mine.count({ workspaceId })).toBe(2);
    });

    test("naming another workspace is an error", async () => {
      const { mine, theirs, item } = await two();
      const there = theirs.workspaceId;
      await expect(mine.items.insert({ id: id(), name: "a", workspaceId: there })).rejects.toMatchObject(tenancy);
      await expect(mine.items.insertMany([{ id: id(), name: "a", workspaceId: there }])).rejects.toMatchObject(tenancy);
      for (const filter of [
        { workspaceId: there },
        { workspaceId: { $ne: "x" } },
        { workspaceId: { $in: [there] } },
        { $or: [{ workspaceId: there }, { name: "a" }] },
      ]) {
        await expect(mine.items.count(filter)).rejects.toMatchObject(tenancy);
        await expect(mine.items.remove(filter)).rejects.toMatchObject(tenancy);
      }
      await expect(mine.items.updateOne({}, { $set: { workspaceId: there } })).rejects.toMatchObject(tenancy);
      await expect(mine.items.updateMany({}, { $unset: { workspaceId: 1 } })).rejects.toMatchObject(tenancy);
      expect(await theirs.items.count({})).toBe(1);
      expect(await theirs.items.get({})).toEqual(item);
    });

    test("sweeps see all workspaces, and cannot move documents between them", async () => {
      const { mine, theirs, item } = await two();
      const own = await mine.items.insert({ id: id(), name: "mine" });
      const all = mine.store.acrossTenants(items);
      const both = { id: { $in: [item.id, own.id] } };
      expect(ids((await all.find(both, { limit: 10 })).items).sort()).toEqual([item.id, own.id].sort());
      expect(await all.updateMany(both, { $set: { state: "done" } })).toBe(2);
      expect((await theirs.items.get({ id: item.id }))?.state).toBe("done");
      await expect(all.updateOne(both, { $set: { workspaceId: mine.workspaceId } })).rejects.toMatchObject(tenancy);
      await expect(all.insert({ id: id(), name: "nobody's" })).rejects.toMatchObject({ code: "invalid_document" });
      expect(await all.insert({ id: id(), name: "a", workspaceId: mine.workspaceId })).toMatchObject({ name: "a" });
    });

    test("a collection opens only with its own tenancy", () => {
      const { store } = bench();
      expect(() => store.global(items)).toThrow("workspace");
      expect(() => store.tenant(slots, "w")).toThrow("workspace");
      expect(() => store.acrossTenants(slots)).toThrow("workspace");
      expect(() => store.tenant(items, "")).toThrow("workspace");
      expect(() => store.tenant(items, undefined as unknown as string)).toThrow("workspace");
    });
  });
}
