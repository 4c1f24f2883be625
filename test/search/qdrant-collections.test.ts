import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSearch } from "../../adapters/search/open-search.ts";
import { SEARCH_KINDS, type Search } from "../../adapters/search/port.ts";
import { QdrantConnection } from "../../adapters/search/qdrant/connection.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { FakeQdrant } from "../support/fake-qdrant.ts";
import { EMBEDDER, fill, idsOf, vector } from "./bench.ts";

// How collections come and go, of the fake Qdrant and of that of QDRANT_URL.

const dataDir = mkdtempSync(join(tmpdir(), "weft-collections-"));
let store: Store;
beforeAll(async () => {
  store = await openStore({ dataDir, sync: "normal" });
});
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const { QDRANT_URL } = process.env;
const servers: [string, () => Promise<{ base: string; close: () => Promise<void> }>][] = [
  [
    "the fake Qdrant",
    async () => {
      const fake = new FakeQdrant();
      return { base: await fake.listen(), close: () => fake.close() };
    },
  ],
];
if (QDRANT_URL) servers.push(["Qdrant", () => Promise.resolve({ base: QDRANT_URL, close: () => Promise.resolve() })]);

describe.each(servers)("collections of %s", (_, start) => {
  let base: string;
  let close: () => Promise<void>;
  let url: string;
  let server: QdrantConnection;
  let node: Search;
  const opened: Search[] = [];
  const open = async () => {
    const search = await openSearch({ store, dataDir, sync: "normal", qdrantUrl: url });
    opened.push(search);
    return search;
  };
  const names = async () => {
    const { collections } = await server.run(client => client.collections());
    return collections.map(({ name }) => name).filter(name => name.startsWith(server.prefix));
  };
  const lose = async () => {
    for (const name of await names()) await server.run(client => client.deleteCollection(name));
  };
  const tea = { text: "tea", vector: vector(1, 0, 0), limit: 5 };

  beforeAll(async () => {
    ({ base, close } = await start());
  });
  beforeEach(async () => {
    url = `${base.replace(/[/?].*$/, found => (found.startsWith("//") ? found : ""))}?prefix=c${randomUUID()}`;
    server = new QdrantConnection({ url, timeoutMs: 30_000 });
    node = await open();
  });
  afterEach(async () => {
    await lose();
    for (const search of [...opened.splice(0), server]) await search.close();
  });
  afterAll(() => close());

  test("that do not exist yet hide no keyword hits: the store answers, and the result says so", async () => {
    const index = node.tenant("memory", randomUUID());
    await expect(index.put([{ id: "a", text: "tea" }])).rejects.toMatchObject({ code: "search_unavailable" });
    expect(await index.search({ text: "tea", limit: 5 })).toMatchObject({ hits: [{ id: "a" }], degraded: true });
    await expect(index.search({ ...tea, mode: "vector" })).rejects.toMatchObject({ code: "search_unavailable" });
    await expect(node.unembedded("memory", 1)).rejects.toMatchObject({ code: "search_unavailable" });
  });

  test("answer no search on any node until they hold every entry", async () => {
    const workspaceId = randomUUID();
    const index = node.tenant("memory", workspaceId);
    await index.put([{ id: "a", text: "tea" }]).catch(() => undefined);
    await node.useEmbedder("memory", EMBEDDER);
    const other = await open();
    await other.useEmbedder("memory", EMBEDDER);
    for (const search of [node, other]) {
      expect(await search.tenant("memory", workspaceId).search(tea)).toMatchObject({
        hits: [{ id: "a" }],
        degraded: true,
      });
    }
    await index.put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
    await fill(node, "memory");
    for (const search of [node, other]) {
      // Asks the server anew, as the other node does after a second.
      await search.ping();
      const { hits, degraded } = await search.tenant("memory", workspaceId).search(tea);
      expect([hits[0]?.cosine, degraded]).toEqual([expect.closeTo(1, 2), false]);
    }
  });

  test("with missing vectors answer from the existing ones, and say so until the vectors are complete", async () => {
    await node.useEmbedder("memory", EMBEDDER);
    const index = node.tenant("memory", randomUUID());
    await index.put([
      { id: "a", text: "tea", vector: vector(1, 0, 0) },
      { id: "b", text: "coffee" },
    ]);
    await fill(node, "memory");
    expect(await index.search(tea)).toMatchObject({ hits: [{ id: "a", keyword: true }], degraded: true });
    await node.settle("memory");
    expect((await index.search(tea)).degraded).toBe(true);
    await index.setVectors([{ id: "b", vector: vector(0, 1, 0) }]);
    expect(await node.settle("memory")).toBe(false);
    const { hits, degraded } = await index.search(tea);
    expect([hits.map(({ id }) => id), degraded]).toEqual([["a", "b"], false]);
  });

  test("are reported by a ping: whether each kind has one, and whether it holds every entry and vector", async () => {
    expect(await node.ping()).toBe("degraded");
    for (const kind of SEARCH_KINDS) await node.useEmbedder(kind, EMBEDDER);
    expect(await node.ping()).toBe("degraded");
    const index = node.tenant("memory", randomUUID());
    await index.put([{ id: "a", text: "tea" }]);
    for (const kind of SEARCH_KINDS) await fill(node, kind);
    expect(await node.ping()).toBe("degraded");
    await index.setVectors([{ id: "a", vector: vector(1, 0, 0) }]);
    await node.settle("memory");
    expect(await node.ping()).toBe("ok");
    await index.put([{ id: "b", text: "coffee" }]);
    expect(await node.ping()).toBe("ok");
    await lose();
    expect(await node.ping()).toBe("degraded");
  });

  test("that are lost and created again are treated as new on every node", async () => {
    const workspaceId = randomUUID();
    const other = await open();
    await node.useEmbedder("memory", EMBEDDER);
    const index = node.tenant("memory", workspaceId);
    await index.put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
    await fill(node, "memory");
    const elsewhere = other.tenant("memory", workspaceId);
    expect(await elsewhere.search(tea)).toMatchObject({ hits: [{ id: "a" }], degraded: false });
    const former = await node.begun("memory");
    expect(former).toBeNull();

    await lose();
    const setting = index.setVectors([{ id: "a", vector: vector(1, 0, 0) }]);
    await expect(setting).rejects.toMatchObject({ code: "search_unavailable" });
    expect(await elsewhere.search(tea)).toMatchObject({ hits: [{ id: "a", cosine: null }], degraded: true });
    await node.useEmbedder("memory", EMBEDDER);
    const second = (await node.begun("memory"))!;
    await lose();
    await node.useEmbedder("memory", EMBEDDER);
    // A comparison that began before the last loss says nothing of what there is now.
    await node.filled("memory", second);
    for (const one of [index, elsewhere])
      expect(await one.search(tea)).toMatchObject({ hits: [{ id: "a", cosine: null }], degraded: true });
  });

  test("of the previous version remain in use", async () => {
    const workspaceId = randomUUID();
    await node.useEmbedder("memory", EMBEDDER);
    await node.tenant("memory", workspaceId).put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
    const { aliases } = await server.run(client => client.aliases());
    const marks = aliases.filter(({ alias_name: name }) => name.startsWith(`${server.prefix}_memory_`));
    const actions = marks.map(({ alias_name }) => ({ delete_alias: { alias_name } }));
    await server.run(client => client.changeAliases(actions));
    for (let round = 0; round < 2; round++) {
      const later = await open();
      expect(await later.tenant("memory", workspaceId).search(tea)).toMatchObject({
        hits: [{ id: "a" }],
        degraded: false,
      });
      expect(await later.useEmbedder("memory", EMBEDDER)).toEqual({ active: EMBEDDER, building: null });
    }
  });

  test("are of embedders whose ids are long and in any script", async () => {
    for (const kind of SEARCH_KINDS) {
      const embedder = { id: "模型".repeat(64), dimension: 4096 };
      expect(await node.useEmbedder(kind, embedder)).toEqual({ active: embedder, building: null });
      // One that has not met the id yet tells it apart from others all the same.
      const other = await open();
      expect((await other.embedders(kind)).active?.dimension).toBe(4096);
      expect(await other.useEmbedder(kind, embedder)).toEqual({ active: embedder, building: null });
    }
    expect((await names()).every(name => name.length <= 255)).toBe(true);
    expect(await names()).toHaveLength(SEARCH_KINDS.length);
  });

  test("return as many hits as a server in strict mode allows, by meaning and by words", async () => {
    await node.useEmbedder("memory", EMBEDDER);
    for (const name of await names()) await strict(name);
    const index = node.tenant("memory", randomUUID());
    const entry = (n: number) => ({
      id: `${n}`,
      text: n % 2 ? "tea" : "tea, and more of it",
      vector: vector(1, n / 1000, 0),
    });
    for (let n = 0; n < 1200; n += 400) await index.put(Array.from({ length: 400 }, (__, i) => entry(n + i)));
    await fill(node, "memory");
    const { hits } = await index.search({ ...tea, vector: vector(1, 0, 0), limit: 1000 });
    expect(hits).toHaveLength(1000);
    expect(hits.every(({ cosine, keyword }) => cosine !== null && keyword)).toBe(true);
    expect(idsOf(await index.search({ ...tea, limit: 3 }))).toEqual(["0", "1", "2"]);
  });

  async function strict(name: string): Promise<void> {
    if (base !== QDRANT_URL) return;
    const strict_mode_config = { enabled: true, max_query_limit: 1000, search_allow_exact: false };
    const { status } = await fetch(new URL(`/collections/${name}`, base), {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ strict_mode_config }),
    });
    expect(status).toBe(200);
  }
});
