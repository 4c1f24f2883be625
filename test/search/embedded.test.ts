import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Schema } from "../../adapters/store/schema.ts";
import { openSearch } from "../../adapters/search/open-search.ts";
import type { Search } from "../../adapters/search/port.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { dot, unit } from "../../core/search/vectors.ts";
import { seededRandom } from "../support/random.ts";
import { EMBEDDER, idsOf, vector } from "./bench.ts";
import { describeSearch, type Opened } from "./conformance.ts";

const root = mkdtempSync(join(tmpdir(), "weft-search-"));
const directory = (): string => mkdtempSync(join(root, "d-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const notes = collectionOfSchema<{ id: string; title: string }>({
  name: "notes",
  tenant: true,
  schema: new Schema({ title: { type: String, required: true } }),
});

interface Both extends Opened {
  store: Store;
}

async function open(options: { dataDir?: string; cacheBytes?: number; elsewhere?: boolean } = {}): Promise<Both> {
  const { dataDir = directory(), cacheBytes, elsewhere } = options;
  const store = await openStore({ dataDir, sync: "normal", collections: [notes] });
  const seen = elsewhere ? apart(store) : store;
  const search = await openSearch({ store: seen, dataDir, sync: "normal", ...(cacheBytes && { cacheBytes }) });
  await search.useEmbedder("memory", EMBEDDER);
  const close = async () => {
    await search.close();
    await store.close();
  };
  return { store: seen, search, close };
}

/** As a store that has no file of its own, such as MongoDB. */
const apart = (store: Store): Store => ({
  tenant: (spec, workspaceId) => store.tenant(spec, workspaceId),
  global: spec => store.global(spec),
  acrossTenants: spec => store.acrossTenants(spec),
  register: specs => store.register(specs),
  write: ops => store.write(ops),
  space: () => store.space(),
  ping: () => store.ping(),
  close: () => store.close(),
  embedded: null,
});

describeSearch("the index in the embedded store's file", () => open());
describeSearch("the index in a file of its own", () => open({ elsewhere: true }));

describe("the embedded index", () => {
  let both: Both;
  beforeAll(async () => {
    both = await open();
  });
  afterAll(() => both.close());

  const searched = async (search: Search, workspaceId: string) =>
    idsOf(await search.tenant("memory", workspaceId).search({ text: "tea", vector: vector(1, 0, 0), limit: 10 }));

  test("commits in one transaction with the documents", async () => {
    const { store, search } = both;
    const own = store.tenant(notes, "w");
    const index = search.tenant("memory", "w");
    const put = (id: string) => index.ops.put({ id, text: "tea", vector: vector(1, 0, 0) });
    await store.write([own.ops.insert({ id: "a", title: "a" }), ...put("a"), ...put("b"), ...index.ops.remove("b")]);
    expect(await searched(search, "w")).toEqual(["a"]);
    const twice = own.ops.insert({ id: "a", title: "again" });
    await expect(store.write([...put("c"), ...index.ops.remove("a"), twice])).rejects.toMatchObject({
      code: "unique_conflict",
    });
    expect(await searched(search, "w")).toEqual(["a"]);
    const later = index.ops.setVector({ id: "a", vector: vector(0, 1, 0) });
    await store.write([own.ops.updateOne({ id: "a" }, { $set: { title: "b" } }), ...later]);
    const { hits } = await index.search({ vector: vector(0, 1, 0), limit: 1 });
    expect(hits).toMatchObject([{ id: "a", cosine: 1 }]);
  });

  test("in a separate file contains the committed documents, and nothing of a failed write", async () => {
    const { store, search, close } = await open({ elsewhere: true });
    const own = store.tenant(notes, "w");
    const put = search.tenant("memory", "w").ops.put({ id: "a", text: "tea" });
    await store.write([own.ops.insert({ id: "a", title: "a" }), ...put]);
    expect(await searched(search, "w")).toEqual(["a"]);
    const gone = search.tenant("memory", "w").ops.remove("a");
    await expect(store.write([...gone, own.ops.insert({ id: "a", title: "again" })])).rejects.toThrow();
    expect(await searched(search, "w")).toEqual(["a"]);
    await close();
  });

  test("survives a restart, and is shared by processes", async () => {
    const dataDir = directory();
    const first = await open({ dataDir });
    await first.search.tenant("memory", "w").put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
    const second = await open({ dataDir });
    expect(await searched(second.search, "w")).toEqual(["a"]);
    await first.search.tenant("memory", "w").put([{ id: "b", text: "water", vector: vector(0, 1, 0) }]);
    expect(await searched(second.search, "w")).toEqual(["a", "b"]);
    await second.close();
    await first.close();
    const third = await open({ dataDir });
    expect(await searched(third.search, "w")).toEqual(["a", "b"]);
    await third.close();
  });

  test("finds the same hits by estimated candidates as by an exact search, also with words and filters", async () => {
    const DIMENSION = 48;
    const random = seededRandom(7);
    const make = () => unit(Float32Array.from({ length: DIMENSION }, () => random() + random() - 1)) as Float32Array;
    const embedder = { id: "many", dimension: DIMENSION };
    await both.search.useEmbedder("tool", embedder);
    const index = both.search.tenant("tool", "w");
    const all = Array.from({ length: 4500 }, (_, n) => ({
      id: `e${n}`,
      text: n % 9 === 0 ? "ninth" : "other",
      payload: { even: n % 2 === 0 },
      values: make(),
    }));
    for (let start = 0; start < all.length; start += 900)
      await index.put(
        all
          .slice(start, start + 900)
          .map(({ values, ...entry }) => ({ ...entry, vector: { embedder: "many", values } })),
      );
    const compare = async (filter: { even?: boolean }, bonus: number) => {
      let found = 0;
      for (let round = 0; round < 10; round++) {
        const values = make();
        const exact = all
          .filter(({ payload }) => filter.even === undefined || payload.even === filter.even)
          .map(entry => [dot(entry.values, values) + (entry.text === "ninth" ? bonus : 0), entry.id] as const)
          .sort(([a], [b]) => b - a)
          .slice(0, 10)
          .map(([, id]) => id);
        const query = { vector: { embedder: "many", values }, filter, limit: 10 };
        const { hits } = await index.search(bonus > 0 ? { ...query, text: "ninth" } : query);
        found += hits.filter(({ id }) => exact.includes(id)).length;
      }
      return found / 100;
    };
    expect(await compare({}, 0)).toBeGreaterThanOrEqual(0.98);
    expect(await compare({ even: true }, 0)).toBeGreaterThanOrEqual(0.98);
    expect(await compare({}, 0.2)).toBeGreaterThanOrEqual(0.98);

    // What is gone is not found, however much of it there is, and leaves room for the others.
    const values = make();
    await index.removeAll({ even: true });
    const { hits } = await index.search({ vector: { embedder: "many", values }, limit: 10 });
    expect(hits).toHaveLength(10);
    expect(hits.every(({ payload }) => payload.even === false)).toBe(true);
  });

  test("ignores words that nearly every text of a space contains", async () => {
    const index = both.search.tenant("memory", "common");
    const texts = Array.from({ length: 300 }, (_, n) => (n === 7 ? "customer refund" : `customer number${n}`));
    await index.put(texts.map((text, n) => ({ id: `${n}`, text })));
    expect(idsOf(await index.search({ text: "customer refund", limit: 10 }))).toEqual(["7"]);
    expect(idsOf(await index.search({ text: "customer", limit: 10 }))).toHaveLength(10);
  });

  test("reads evicted spaces again", async () => {
    const { search, close } = await open({ cacheBytes: 1 });
    for (const workspaceId of ["a", "b", "a", "b"]) {
      await search.tenant("memory", workspaceId).put([{ id: workspaceId, text: "tea", vector: vector(1, 0, 0) }]);
      expect(await searched(search, workspaceId)).toEqual([workspaceId]);
    }
    await close();
  });

  test("rejects searches when it is closed or its queue is full", async () => {
    const { search, close } = await open();
    const index = search.tenant("memory", "w");
    const asked = Array.from({ length: 1001 }, () => index.search({ text: "tea", limit: 1 }));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1000);
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: "search_busy" } });
    await close();
    await expect(index.search({ text: "tea", limit: 1 })).rejects.toMatchObject({ code: "search_unavailable" });
    await expect(index.put([{ id: "a", text: "tea" }])).rejects.toMatchObject({ code: "search_unavailable" });
    await expect(search.ping()).rejects.toMatchObject({ code: "search_unavailable" });
  });

  test("that cannot be opened makes the search fail with an error", async () => {
    const store = apart(both.store);
    const opening = openSearch({ store, dataDir: "/dev/null/nowhere", sync: "normal" });
    await expect(opening).rejects.toMatchObject({ code: "search_unavailable" });
  });
});
