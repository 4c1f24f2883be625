import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSearch } from "../../adapters/search/open-search.ts";
import type { Search, UnembeddedEntry } from "../../adapters/search/port.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { confirmedHits, keyOf, type DocumentRef, type IndexedDocuments } from "../../service-kit/indexed-documents.ts";
import { EmbeddingQueue } from "../../service-kit/embedding-queue.ts";
import { reconcileIndex } from "../../service-kit/reconcile-index.ts";
import { exposition } from "../../telemetry/exposition.ts";
import { EMBEDDER, idsOf } from "./bench.ts";

interface Document extends DocumentRef {
  text: string;
  payload: { scope: string };
}

const dataDir = mkdtempSync(join(tmpdir(), "weft-upkeep-"));
const never = new AbortController().signal;
let store: Store;
let search: Search;
let documents: Map<string, Document>;
let model: typeof EMBEDDER;
let told: { embedded: string[]; failed: string[]; calls: number };
let refuse: (text: string) => boolean;

const source: IndexedDocuments<null> = {
  kind: "memory",
  embedder: () => Promise.resolve(model),
  embed: texts => {
    told.calls++;
    if (texts.some(refuse)) return Promise.reject(new Error("no"));
    return Promise.resolve(texts.map(text => Array.from({ length: model.dimension }, (_, n) => text.length + n)));
  },
  documents: after => {
    const all = [...documents.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const from = after === null ? 0 : Number(after);
    return Promise.resolve({ items: all.slice(from, from + 2), next: from + 2 < all.length ? `${from + 2}` : null });
  },
  existing: refs => Promise.resolve(refs.filter(ref => documents.has(keyOf(ref)))),
  embedded: entries => Promise.resolve(void told.embedded.push(...idsIn(entries))),
  failed: entries => Promise.resolve(void told.failed.push(...idsIn(entries))),
};
const idsIn = (entries: UnembeddedEntry[]) => entries.map(({ id }) => id);
const add = (workspaceId: string, id: string, text: string, scope = "user") =>
  documents.set(keyOf({ workspaceId, id }), { workspaceId, id, text, payload: { scope } });
const queue = () => new EmbeddingQueue(search, source, null);
const find = async (workspaceId: string, text: string) =>
  idsOf(await search.tenant("memory", workspaceId).search({ text, limit: 10 })).sort();

beforeAll(async () => {
  store = await openStore({ dataDir, sync: "normal" });
  search = await openSearch({ store, dataDir, sync: "normal" });
});
afterAll(async () => {
  await search.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  documents = new Map();
  model = EMBEDDER;
  told = { embedded: [], failed: [], calls: 0 };
  refuse = () => false;
  for (const workspaceId of ["v", "w"]) await search.removeWorkspace(workspaceId);
});

describe("reconciling", () => {
  test("adds missing and outdated entries, removes entries without a document, and changes nothing else", async () => {
    for (const n of [1, 2, 3]) add("w", `${n}`, "tea");
    add("v", "1", "coffee");
    expect(await reconcileIndex(search, source, null, never)).toMatchObject({ put: 4, removed: 0 });
    expect(await find("w", "tea")).toEqual(["1", "2", "3"]);
    expect(await reconcileIndex(search, source, null, never)).toMatchObject({ put: 0, removed: 0 });

    add("w", "1", "milk");
    add("w", "2", "tea", "thread");
    documents.delete(keyOf({ workspaceId: "w", id: "3" }));
    await search.tenant("memory", "x").put([{ id: "1", text: "tea" }]);
    expect(await reconcileIndex(search, source, null, never)).toMatchObject({ put: 2, removed: 2 });
    expect(await find("w", "tea")).toEqual(["2"]);
    expect(await find("w", "milk")).toEqual(["1"]);
    expect(await find("x", "tea")).toEqual([]);
    const thread = { text: "tea", filter: { scope: "thread" }, limit: 1 };
    expect(idsOf(await search.tenant("memory", "w").search(thread))).toEqual(["2"]);
  });

  test("continues with words while the model is unavailable, and ends when it is aborted", async () => {
    add("w", "1", "tea");
    const away = { ...source, embedder: () => Promise.reject(new Error("away")) };
    expect(await reconcileIndex(search, away, null, never)).toMatchObject({ put: 1, removed: 0 });
    expect(await reconcileIndex(search, source, null, AbortSignal.abort())).toMatchObject({ put: 0, removed: 0 });
  });
});

describe("the queue for embeddings", () => {
  const fill = async (texts: string[]) => {
    for (const [n, text] of texts.entries()) add(n % 2 ? "v" : "w", `${n}`, text);
    await reconcileIndex(search, source, null, never);
  };
  const missing = async () => idsIn(await search.unembedded("memory", 1000)).sort();

  test("embeds all waiting entries in batches, and reports them", async () => {
    await fill(Array.from({ length: 130 }, (_, n) => `text ${n}`));
    await queue().run(never);
    expect(await missing()).toEqual([]);
    expect(told).toMatchObject({ calls: 3, failed: [] });
    expect(new Set(told.embedded).size).toBe(130);
    const query = { vector: { embedder: EMBEDDER.id, values: [6, 7, 8] }, limit: 200 };
    expect((await search.tenant("memory", "w").search(query)).hits).toHaveLength(65);
  });

  test("does not delay one workspace by the thousands of entries of another", async () => {
    for (let n = 0; n < 600; n++) add("v", `${n}`, `text ${n}`);
    await reconcileIndex(search, source, null, never);
    const order: string[] = [];
    const arriving: IndexedDocuments<null> = {
      ...source,
      async embedded(entries) {
        order.push(...entries.map(({ workspaceId }) => workspaceId));
        if (told.calls > 1) return;
        await search.tenant("memory", "w").put([{ id: "late", text: "one alone", payload: { scope: "user" } }]);
      },
    };
    await new EmbeddingQueue(search, arriving, null).run(never);
    expect(order).toHaveLength(601);
    // It came when the first batch was made, and is in the next.
    expect(order.indexOf("w")).toBe(order.slice(0, 128).lastIndexOf("w"));
    expect(order.indexOf("w")).toBeGreaterThanOrEqual(64);
  });

  test("continues with the entries that the previous process left", async () => {
    await fill(Array.from({ length: 100 }, (_, n) => `text ${n}`));
    const stopped = new AbortController();
    const first = new EmbeddingQueue(
      search,
      { ...source, embedded: () => Promise.resolve(stopped.abort(new Error("stopped"))) },
      null,
    );
    await first.run(stopped.signal);
    expect(await missing()).toHaveLength(36);
    await queue().run(never);
    expect(await missing()).toEqual([]);
  });

  test("gives up a text that fails by itself, and keeps the others", async () => {
    refuse = text => text.includes("poison");
    await fill(["good", "poison", "better", "best"]);
    await queue().run(never);
    expect(told.failed).toEqual(["1"]);
    expect(told.embedded.sort()).toEqual(["0", "2", "3"]);
    expect(await missing()).toEqual([]);
    add("v", "1", "healthy");
    await reconcileIndex(search, source, null, never);
    expect(await missing()).toEqual(["1"]);
  });

  test("retries an unavailable model with growing delays, and gives up no entry", async () => {
    refuse = () => true;
    await fill(["one"]);
    const waiting = queue();
    await expect(waiting.run(never, 0)).rejects.toThrow("no");
    const { calls } = told;
    await waiting.run(never, 900);
    expect(told.calls).toBe(calls);
    await expect(waiting.run(never, 1000)).rejects.toThrow("no");
    await waiting.run(never, 2900);
    refuse = () => false;
    await waiting.run(never, 3000);
    expect(told).toMatchObject({ embedded: ["0"], failed: [] });
  });

  test("reports an unavailable index as one that falls behind", async () => {
    const shown = (name: string) => new RegExp(`^${name}\\{kind="memory"\\} (.*)$`, "m").exec(exposition())?.[1];
    let isAway = true;
    const ask = search.unembedded.bind(search);
    const asked = jest.spyOn(search, "unembedded");
    asked.mockImplementation((...args) => (isAway ? Promise.reject(new Error("away")) : ask(...args)));
    const own = queue();
    const at = performance.now();
    await expect(own.run(never, at)).rejects.toThrow("away");
    await own.run(never, at + 900);
    expect(Number(shown("weft_index_lag_seconds"))).toBeGreaterThan(0.5);
    expect(shown("weft_index_waiting")).toBeUndefined();
    isAway = false;
    await own.run(never, at + 1_100);
    expect([shown("weft_index_lag_seconds"), shown("weft_index_waiting")]).toEqual(["0", "0"]);
    asked.mockRestore();
  });

  test("does not give up a text because of invalid answers of the model", async () => {
    await fill(["one"]);
    const bad = { ...source, embed: () => Promise.resolve([[0, 0, 0]]) };
    await expect(new EmbeddingQueue(search, bad, null).run(never)).rejects.toThrow("not a vector");
    const short = { ...source, embed: () => Promise.resolve([]) };
    await expect(new EmbeddingQueue(search, short, null).run(never)).rejects.toThrow("0 vectors");
    expect(await missing()).toEqual(["0"]);
  });

  test("embeds all entries with a new model", async () => {
    await fill(["one", "two"]);
    await queue().run(never);
    model = { id: "newer", dimension: 5 };
    await queue().run(never);
    expect(await search.embedders("memory")).toEqual({ active: model, building: null });
    expect(await missing()).toEqual([]);
  });
});

test("hits without a document are left out and reported", async () => {
  const hit = (id: string) => ({ id, cosine: 1, keyword: false, bm25: 0, payload: {} });
  const read = (ids: string[]) => Promise.resolve(ids.filter(id => id !== "b").map(id => ({ id, text: "t" })));
  const gone = jest.fn();
  const confirmed = await confirmedHits([hit("a"), hit("b"), hit("c")], read, gone);
  expect(confirmed.map(({ document, hit: of }) => [document.id, of.id])).toEqual([
    ["a", "a"],
    ["c", "c"],
  ]);
  expect(gone).toHaveBeenCalledTimes(1);
  await confirmedHits([hit("a")], read, gone);
  expect(gone).toHaveBeenCalledTimes(1);
});
