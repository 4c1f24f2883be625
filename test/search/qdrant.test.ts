import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FallbackIndex } from "../../adapters/search/fallback-index.ts";
import { openSearch } from "../../adapters/search/open-search.ts";
import { SEARCH_KINDS, type Search } from "../../adapters/search/port.ts";
import { QdrantConnection, serverOf } from "../../adapters/search/qdrant/connection.ts";
import { QdrantIndex } from "../../adapters/search/qdrant/qdrant-index.ts";
import { WordMirror } from "../../adapters/search/word-mirror.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { FakeQdrant, type Behaviour } from "../support/fake-qdrant.ts";
import { EMBEDDER, fill, idsOf, vector } from "./bench.ts";
import { describeSearch } from "./conformance.ts";

const TIMEOUT_MS = 300;
const dataDir = mkdtempSync(join(tmpdir(), "weft-qdrant-"));
let store: Store;
let fake: FakeQdrant;
let url: string;
const lost: unknown[] = [];

beforeAll(async () => {
  store = await openStore({ dataDir, sync: "normal" });
  fake = new FakeQdrant();
  url = await fake.listen();
});
afterAll(async () => {
  await fake.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const { QDRANT_URL } = process.env;
if (QDRANT_URL)
  describeSearch("Qdrant", async () => {
    const clean = () =>
      new QdrantConnection({ url: QDRANT_URL }).run(async client => {
        const { collections } = await client.collections();
        const own = collections.filter(({ name }) => SEARCH_KINDS.some(kind => name.startsWith(`weft_${kind}_`)));
        for (const { name } of own) await client.deleteCollection(name);
      });
    await clean();
    return { search: new QdrantIndex({ url: QDRANT_URL }, error => lost.push(error)), close: clean };
  });

describeSearch("what is asked of a Qdrant server, answered as it answers", async () => {
  const server = new FakeQdrant();
  const address = await server.listen();
  const search = await openSearch({ store, dataDir, sync: "normal", qdrantUrl: address });
  const close = async () => {
    await search.close();
    await server.close();
  };
  return { search, close };
});

describe("the address of Qdrant", () => {
  const prefix = (more: string) => new QdrantConnection({ url: `https://:hunter2@qdrant.example.com${more}` }).prefix;

  test("may set a prefix for the names of the collections", () => {
    expect([prefix(""), prefix("/?prefix=staging")]).toEqual(["weft", "staging"]);
  });

  test.each([
    ["http://qdrant", { url: "http://qdrant", port: 6333, prefix: "" }],
    ["https://:12345@qdrant.example.com/?prefix=a", { url: "https://qdrant.example.com", port: 6333, prefix: "" }],
    ["https://:key@qdrant.example.com:443", { url: "https://qdrant.example.com", port: 443, prefix: "" }],
    ["http://[::1]:80/search/", { url: "http://[::1]", port: 80, prefix: "/search" }],
  ])("%s means the port that it says, else Qdrant's, and keeps its path", (address, expected) => {
    expect(serverOf(address)).toEqual(expected);
  });

  test.each(["?prefix=a/b", "?prefix=", "?api_key=hunter2"])(
    "is rejected with %s, and the error hides its key",
    more => {
      expect(() => prefix(more)).toThrow(/^QDRANT_URL: (?!.*hunter2)[^\n]+$/);
    },
  );

  test("keeps two installations on one server apart", async () => {
    const server = new FakeQdrant();
    const address = await server.listen();
    const open = (name: string) => new QdrantIndex({ url: `${address}?prefix=${name}` }, error => lost.push(error));
    const [one, two] = ["one", "two"].map(open) as [QdrantIndex, QdrantIndex];
    for (const index of [one, two]) await index.useEmbedder("memory", EMBEDDER);
    await one.tenant("memory", "w").put([{ id: randomUUID(), text: "hers" }]);
    const held = await Promise.all([one, two].map(index => index.entries("memory", null, 10)));
    expect(held.map(({ items }) => items.length)).toEqual([1, 0]);
    await server.close();
  });
});

describe("the index in Qdrant", () => {
  let search: Search;
  const bodyOf = (method: string, path: RegExp) =>
    fake.requests.find(request => request.method === method && path.test(request.path))?.body;

  beforeAll(async () => {
    search = new QdrantIndex({ url: url.replace("//", "//:key%2B1@"), timeoutMs: TIMEOUT_MS, restMs: 0 }, error =>
      lost.push(error),
    );
    await search.useEmbedder("memory", EMBEDDER);
    await fill(search, "memory");
  });
  test("reports the version of the server", async () => {
    expect(await search.version?.()).toBe("1.19.0");
  });

  beforeEach(() => {
    fake.behaviour = "well";
    fake.beforeWrite = () => undefined;
    fake.requests.length = 0;
  });

  test("uses one collection per kind and embedder, with a tenant index and words weighted by rarity", async () => {
    await search.useEmbedder("tool", { id: "model a", dimension: 7 });
    const name = /^\/collections\/weft_tool_7_[\w-]+$/;
    expect(bodyOf("PUT", name)).toMatchObject({
      vectors: { dense: { size: 7, distance: "Cosine", on_disk: true } },
      sparse_vectors: { words: { modifier: "idf" } },
      quantization_config: { scalar: { type: "int8", always_ram: true } },
    });
    const indexes = fake.requests.filter(({ path }) => path.endsWith("/index")).map(({ body }) => body);
    expect(indexes[0]).toEqual({ field_name: "workspaceId", field_schema: { type: "keyword", is_tenant: true } });
    expect(fake.requests.every(({ apiKey }) => apiKey === "key+1")).toBe(true);
    fake.requests.length = 0;
    await search.useEmbedder("tool", { id: "model a", dimension: 7 });
    expect(fake.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("searches within the workspace in one request, and reads the payloads of the hits in another", async () => {
    const workspaceId = randomUUID();
    const index = search.tenant("memory", workspaceId);
    await index.put([{ id: "a", text: "green tea", vector: vector(1, 0, 0) }]);
    fake.requests.length = 0;
    await index.search({ text: "tea", vector: vector(0, 1, 0), filter: { scope: { $ne: "x" } }, limit: 10 });
    const [asked, read, ...more] = fake.requests;
    expect(more).toEqual([]);
    expect(read?.body).toMatchObject({ ids: [expect.any(String)], with_payload: ["id", "payload"] });
    const { searches } = asked?.body ?? { searches: [] };
    expect(searches.every(({ with_payload }) => !with_payload)).toBe(true);
    expect(searches.map(({ using }) => using)).toEqual(["dense", "dense", "words"]);
    // What is found among rounded vectors is compared by the exact ones.
    const rescored = { quantization: { rescore: true, oversampling: 2 } };
    expect(searches.map(({ params }) => params)).toEqual([rescored, rescored, undefined]);
    for (const { filter } of searches) {
      expect(filter.must?.[0]).toEqual({ key: "workspaceId", match: { value: workspaceId } });
      expect(filter.must_not).toEqual([{ key: "tags", match: { any: ['scope="x"'] } }]);
    }
  });

  test("searches by words in one request, and orders equal scores by id", async () => {
    const index = search.tenant("memory", randomUUID());
    const ids = Array.from({ length: 16 }, (_, at) => `e${at}`).sort();
    await index.put(ids.map(id => ({ id, text: "tea", payload: { scope: id } })));
    fake.requests.length = 0;
    const { hits } = await index.search({ text: "tea", limit: 10 });
    expect(hits.map(({ id, payload }) => [id, payload])).toEqual(ids.slice(0, 10).map(id => [id, { scope: id }]));
    expect(fake.requests).toHaveLength(1);
  });

  test.each<[Behaviour, string]>([
    ["unavailable", "search_unavailable"],
    ["half", "search_unavailable"],
    ["hang", "search_timeout"],
  ])("that answers %s is a typed error: %s", async (behaviour, code) => {
    const index = search.tenant("memory", randomUUID());
    fake.behaviour = behaviour;
    await expect(index.search({ text: "tea", limit: 1 })).rejects.toMatchObject({ code });
    await expect(index.put([{ id: "a", text: "tea" }])).rejects.toMatchObject({ code });
    await expect(search.ping()).rejects.toMatchObject({ code });
    lost.length = 0;
    await store.write([...index.ops.put({ id: "a", text: "tea" }), ...index.ops.remove("b")]);
    expect(lost).toEqual([expect.objectContaining({ code }), expect.objectContaining({ code })]);
  });

  test("with rejected writes reports it in its ping, still answers searches, and recovers when a write succeeds", async () => {
    const own = new QdrantIndex({ url: `${url}?prefix=full` }, error => lost.push(error));
    for (const kind of SEARCH_KINDS) {
      await own.useEmbedder(kind, EMBEDDER);
      await fill(own, kind);
    }
    const index = own.tenant("memory", randomUUID());
    await index.put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
    expect(await own.ping()).toBe("ok");
    fake.behaviour = "full";
    await expect(index.put([{ id: "b", text: "tea" }])).rejects.toMatchObject({ code: "search_unavailable" });
    expect(await own.ping()).toBe("degraded");
    expect((await index.search({ text: "tea", limit: 5 })).hits).toMatchObject([{ id: "a" }]);
    fake.behaviour = "well";
    await index.put([{ id: "b", text: "tea" }]);
    expect(await own.ping()).toBe("ok");
    await own.close();
  });

  test("that does not answer raises a typed error", async () => {
    const nobody = new QdrantIndex({ url: "http://127.0.0.1:1", timeoutMs: TIMEOUT_MS }, () => undefined);
    await expect(nobody.ping()).rejects.toMatchObject({ code: "search_unavailable" });
    await expect(nobody.useEmbedder("memory", EMBEDDER)).rejects.toMatchObject({ code: "search_unavailable" });
  });

  test("does not report an unavailable server after a fault in the client", async () => {
    const connection = new QdrantConnection({ url: fake.address() });
    const own = new TypeError("undefined is not a function");
    await expect(connection.run(() => Promise.reject(own))).rejects.toBe(own);
    await expect(connection.run(client => client.upsert("c", [{ vector: { a: 1n } }] as never))).rejects.toThrow(
      TypeError,
    );
    // No pause follows, as after a failure of the server.
    expect((await connection.run(client => client.collections())).collections).toBeInstanceOf(Array);
    await connection.close();
  });

  test.each(["<html>", "{}", "null"])(
    "reports unavailable when the answer does not come from Qdrant: %s",
    async answer => {
      const server = createServer((_, response) => response.end(answer)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const index = new QdrantIndex({ url: `http://127.0.0.1:${port}` }, () => undefined);
      await expect(index.ping()).rejects.toMatchObject({ code: "search_unavailable" });
      await index.close();
      server.close();
    },
  );

  test("is created once when several nodes create it at the same time", async () => {
    const server = new FakeQdrant();
    const address = await server.listen();
    const nodes = Array.from({ length: 4 }, () => new QdrantIndex({ url: address, restMs: 0 }, () => undefined));
    await Promise.all([...nodes, ...nodes].map(one => one.useEmbedder("memory", EMBEDDER)));
    expect(server.collections.size).toBe(1);
    expect(new Set(server.aliases.values())).toEqual(new Set(server.collections.keys()));
    expect(server.aliases.has("weft_memory")).toBe(true);
    await fill(nodes[1]!, "memory");
    expect(await nodes[3]!.begun("memory")).toBeNull();
    await nodes[0]!.tenant("memory", "w").put([{ id: "a", text: "tea" }]);
    expect(idsOf(await nodes[3]!.tenant("memory", "w").search({ text: "tea", limit: 5 }))).toEqual(["a"]);
    await server.close();
  });

  test("that a node left half created is completed by the next node", async () => {
    const server = new FakeQdrant();
    const index = new QdrantIndex({ url: await server.listen(), restMs: 0 }, () => undefined);
    await index.useEmbedder("memory", EMBEDDER);
    const [[name, made] = []] = server.collections;
    const fields = [...made!.indexes.keys()].sort();
    made!.indexes.clear();
    server.aliases.clear();
    await new QdrantIndex({ url: server.address(), restMs: 0 }, () => undefined).useEmbedder("memory", EMBEDDER);
    expect([...server.collections.keys()]).toEqual([name]);
    expect([...server.collections.get(name!)!.indexes.keys()].sort()).toEqual(fields);
    expect(server.aliases.get("weft_memory")).toBe(name);
    await server.close();
  });

  test("that answers 429 gets no request for the time that it states", async () => {
    const server = new FakeQdrant();
    const busy = new QdrantIndex({ url: await server.listen(), restMs: 0 }, () => undefined);
    server.behaviour = "busy";
    await expect(busy.ping()).rejects.toMatchObject({ code: "search_unavailable" });
    server.behaviour = "well";
    await expect(busy.ping()).rejects.toMatchObject({ code: "search_unavailable" });
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  test("that closed an idle connection gets the request once more", async () => {
    const index = search.tenant("memory", randomUUID());
    await index.put([{ id: "a", text: "tea" }]);
    fake.behaviour = "closing";
    for (let round = 0; round < 3; round++) expect(idsOf(await index.search({ text: "tea", limit: 1 }))).toEqual(["a"]);
  });

  test("that rejects a request is quoted in the error, and the next request is sent at once", async () => {
    await search.useEmbedder("memory", EMBEDDER);
    const failing = search.entries("memory", "no point's id", 1);
    await expect(failing).rejects.toMatchObject({
      code: "search_unavailable",
      message: expect.stringContaining("status 400: no point's id is not an id"),
    });
    await expect(search.unembedded("memory", 1)).resolves.toBeInstanceOf(Array);
  });

  test.each(["put", "setVectors"] as const)(
    "does not mistake a missing point for a missing collection: %s",
    async method => {
      const index = search.tenant("memory", randomUUID());
      const vectors = vector(1, 0, 0);
      const entry = (id: string) => ({ id, text: "tea" });
      await index.put(["a", "b"].map(entry));
      const updates = ["a", "b"].map(id => ({ id, vector: vectors }));
      const { points } = [...fake.collections].find(([name]) => name.startsWith("weft_memory_"))![1];
      fake.requests.length = 0;
      fake.beforeWrite = path => {
        if (!path.endsWith("/batch")) return;
        fake.beforeWrite = () => undefined;
        for (const [id, { payload }] of points) if (payload.id === "a" && payload.text === "tea") points.delete(id);
      };
      await (method === "put" ? index.put(["a", "b"].map(entry)) : index.setVectors(updates));
      expect(fake.requests.every(({ path }) => path !== "/aliases")).toBe(true);
      const found = idsOf(await index.search({ text: "tea", limit: 5 })).sort();
      expect(found).toEqual(method === "put" ? ["a", "b"] : ["b"]);
    },
  );

  test("writes a hundred points in a few operations, and rejects vectors of texts that have changed", async () => {
    const index = search.tenant("memory", randomUUID());
    const ids = Array.from({ length: 100 }, (_, n) => `${n}`);
    fake.requests.length = 0;
    await index.put(ids.map(id => ({ id, text: `tea ${id}` })));
    fake.beforeWrite = () => {
      fake.beforeWrite = () => undefined;
      for (const { points } of fake.collections.values())
        for (const { payload } of points.values()) if (payload.text === "tea 7") payload.revision = "newer";
    };
    await index.setVectors(ids.map(id => ({ id, vector: vector(1, 0, 0) })));
    const writes = fake.requests
      .filter(({ path }) => path.endsWith("/points/batch"))
      .map(({ body }) => body.operations);
    expect(writes.map(operations => operations.length)).toEqual([1, 2]);
    const waiting = await search.unembedded("memory", 1000);
    expect(waiting.filter(({ text }) => /^tea \d+$/.test(text)).map(({ id }) => id)).toEqual(["7"]);
  });

  test("is queried again when another node has replaced the collection", async () => {
    const other = new QdrantIndex({ url, timeoutMs: TIMEOUT_MS }, () => undefined);
    const workspaceId = randomUUID();
    const next = { id: "next", dimension: 2 };
    await search.useEmbedder("knowledge", EMBEDDER);
    await fill(search, "knowledge");
    await search.tenant("knowledge", workspaceId).put([{ id: "a", text: "tea" }]);
    await other.useEmbedder("knowledge", next);
    for (let round = 0; round < 5 && !(await other.settle("knowledge")); round++)
      await other.giveUp("knowledge", await other.unembedded("knowledge", 100));
    expect((await other.embedders("knowledge")).active).toEqual(next);
    expect(idsOf(await search.tenant("knowledge", workspaceId).search({ text: "tea", limit: 5 }))).toEqual(["a"]);
  });
});

describe("while Qdrant is unavailable", () => {
  const sides: [string, () => Promise<Search>][] = [
    ["the embedded store", () => openSearch({ store, dataDir, sync: "normal", qdrantUrl: url })],
    [
      "documents of the store",
      async () =>
        new FallbackIndex(
          new QdrantIndex({ url, timeoutMs: TIMEOUT_MS }, () => undefined),
          await WordMirror.open(store, error => lost.push(error)),
        ),
    ],
  ];
  test.each(sides)("keywords are found in %s, and the result is marked as degraded", async (_, open) => {
    fake.behaviour = "well";
    const search = await open();
    await search.useEmbedder("memory", EMBEDDER);
    await fill(search, "memory");
    const index = search.tenant("memory", randomUUID());
    await index.put([
      { id: "a", text: "green tea, the greenest", payload: { scope: "user" }, vector: vector(1, 0, 0) },
      { id: "b", text: "tea", payload: { scope: "thread" } },
      { id: "c", text: "tea", payload: { scope: "user" } },
    ]);
    await index.put([{ id: "c", text: "coffee", payload: { scope: "user" } }]);
    const query = { text: "tea", vector: vector(1, 0, 0), limit: 10 };
    expect((await index.search(query)).degraded).toBe(false);

    fake.behaviour = "unavailable";
    await store.write(index.ops.put({ id: "d", text: "black tea", payload: { scope: "user" } }));
    await store.write(index.ops.remove("b"));
    const { hits, degraded } = await index.search(query);
    expect(degraded).toBe(true);
    expect(hits.map(({ id }) => id).sort()).toEqual(["a", "d"]);
    expect(hits.every(({ cosine, keyword, bm25 }) => cosine === null && keyword && bm25 > 0)).toBe(true);
    expect(idsOf(await index.search({ ...query, filter: { scope: { $ne: "user" } } }))).toEqual([]);
    await expect(index.search({ ...query, mode: "vector" })).rejects.toMatchObject({ code: "search_unavailable" });
    const asked = fake.requests.length;
    await index.search(query);
    expect(fake.requests).toHaveLength(asked);
    await expect(index.removeAll()).rejects.toMatchObject({ code: "search_unavailable" });
    expect(idsOf(await index.search(query))).toEqual([]);
    await search.close();
  });
});
