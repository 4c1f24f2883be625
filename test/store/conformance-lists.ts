import type { Sort } from "../../adapters/store/port.ts";
import { type Bench, id, ids, type Item } from "./collections.ts";

const byNumber = (workspaceId: string, n: number): string => `${workspaceId}-${String(n).padStart(4, "0")}`;

/** Ten documents; `order` has ties and holes. */
async function ten({ items, workspaceId }: Bench): Promise<string[]> {
  const orders = [3, 1, null, 2, undefined, 1, 3, null, 2, 1];
  const docs = orders.map((order, n): Item => ({
    id: byNumber(workspaceId, n),
    name: `n${n % 2}`,
    at: new Date(n),
    ...(order !== undefined && { order }),
  }));
  await items.insertMany(docs);
  return ids(docs);
}

async function walk({ items }: Bench, sort: Sort<Item>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await items.find({}, { sort, limit, after });
    seen.push(...ids(page.items));
    after = page.next;
  } while (after !== null);
  return seen;
}

export function describeLists(bench: () => Bench): void {
  describe("lists", () => {
    test.each<[string, Sort<Item>, number[]]>([
      ["by id", {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      ["by id, descending", { id: -1 }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
      ["with ties and nulls first", { order: 1 }, [2, 4, 7, 1, 5, 9, 3, 8, 0, 6]],
      ["with ties and nulls last", { order: -1 }, [6, 0, 8, 3, 9, 5, 1, 7, 4, 2]],
      ["by two fields", { name: 1, order: -1 }, [6, 0, 8, 4, 2, 3, 9, 5, 1, 7]],
      ["by date", { at: -1 }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ])("are sorted %s, on one page or many", async (_, sort, expected) => {
      const at = bench();
      const all = await ten(at);
      const wanted = expected.map(n => all[n]);
      expect(ids((await at.items.find({}, { sort, limit: 100 })).items)).toEqual(wanted);
      for (const limit of [1, 2, 3, 5, 10]) expect(await walk(at, sort, limit)).toEqual(wanted);
    });

    test("strings are sorted by their code points", async () => {
      const { items } = bench();
      const names = ["a", "B", "é", "z", "10", "9", "😀", "\uffee"];
      await items.insertMany(names.map(name => ({ id: id(), name })));
      const found = await items.find({}, { sort: { name: 1 }, limit: 100 });
      expect(found.items.map(({ name }) => name)).toEqual(["10", "9", "B", "a", "z", "é", "\uffee", "😀"]);
    });

    test("a page that is exactly full has no next", async () => {
      const at = bench();
      await ten(at);
      expect((await at.items.find({}, { limit: 10 })).next).toBeNull();
      expect((await at.items.find({}, { limit: 9 })).next).toEqual(expect.any(String));
      expect(await at.items.find({ name: "nobody" }, { limit: 1 })).toEqual({ items: [], next: null });
    });

    test("inserts and removals between pages neither repeat nor hide others", async () => {
      const at = bench();
      const all = await ten(at);
      const first = await at.items.find({}, { sort: { at: -1 }, limit: 4 });
      await at.items.insert({ id: id(), name: "new", at: new Date(100) });
      await at.items.remove({ id: all[7] });
      await at.items.remove({ id: all[6] });
      const second = await at.items.find({}, { sort: { at: -1 }, limit: 100, after: first.next });
      expect(ids(first.items)).toEqual([9, 8, 7, 6].map(n => all[n]));
      expect(ids(second.items)).toEqual([5, 4, 3, 2, 1, 0].map(n => all[n]));
    });

    test("a cursor of another sort, or an invalid one, is rejected", async () => {
      const at = bench();
      await ten(at);
      const { next } = await at.items.find({}, { sort: { order: 1 }, limit: 2 });
      const forged = Buffer.from(JSON.stringify(["-at,-id", "x", "y"])).toString("base64url");
      for (const [after, sort] of [
        [next, { order: -1 }],
        [next, {}],
        ["nonsense", { at: -1 }],
        ["", { at: -1 }],
        [forged, { at: -1 }],
        [5 as unknown as string, { at: -1 }],
      ] as [string, Sort<Item>][])
        await expect(at.items.find({}, { sort, limit: 2, after })).rejects.toMatchObject({ code: "invalid_cursor" });
    });

    test.each([0, 1001, 1.5, -1, Number.NaN])("a limit of %s is refused", async limit => {
      await expect(bench().items.find({}, { limit })).rejects.toMatchObject({ code: "invalid_filter" });
    });

    test.each(["body", "tags", "lease", "colour"])("sorting by %s is refused", async field => {
      const sort = { [field]: 1 } as Sort<Item>;
      await expect(bench().items.find({}, { sort, limit: 1 })).rejects.toMatchObject({ code: "invalid_filter" });
    });

    test("get takes the first by id, or null", async () => {
      const at = bench();
      const all = await ten(at);
      expect((await at.items.get({ order: 1 }))?.id).toBe(all[1]);
      expect(await at.items.get({ id: "nobody" })).toBeNull();
      const [first, second] = [id(), id()].sort() as [string, string];
      for (const later of [second, first]) await at.items.insert({ id: later, name: "twice" });
      expect((await at.items.get({ name: "twice" }))?.id).toBe(first);
    });
  });
}
