import { randomUUID } from "node:crypto";
import { revisionOf } from "../../adapters/search/revision.ts";
import { idsOf, vector, type Bench } from "./bench.ts";

export function describeEntries(bench: () => Bench): void {
  describe("entries", () => {
    test("are found by keywords at once, before their vectors exist", async () => {
      const { index } = bench();
      await index.put([{ id: "a", text: "Prefers dark roast coffee", payload: { userId: "u" } }]);
      const { hits, degraded } = await index.search({ text: "coffee", limit: 10 });
      expect(hits).toEqual([
        { id: "a", cosine: null, keyword: true, bm25: expect.any(Number), payload: { userId: "u" } },
      ]);
      expect(hits[0]?.bm25).toBeGreaterThan(0);
      expect(degraded).toBe(false);
    });

    test("are replaced together with their words and filter fields", async () => {
      const { index } = bench();
      await index.put([{ id: "a", text: "tea", payload: { scope: "user" } }]);
      await index.put([{ id: "a", text: "coffee", payload: { scope: "thread" } }]);
      expect(idsOf(await index.search({ text: "tea", limit: 10 }))).toEqual([]);
      expect(idsOf(await index.search({ text: "coffee", filter: { scope: "user" }, limit: 10 }))).toEqual([]);
      expect(idsOf(await index.search({ text: "coffee", filter: { scope: "thread" }, limit: 10 }))).toEqual(["a"]);
    });

    test("keep their vector while the text is unchanged, and lose it when the text changes", async () => {
      const { index } = bench();
      await index.put([{ id: "a", text: "tea", payload: { n: 1 }, vector: vector(0, 1, 0) }]);
      await index.put([{ id: "a", text: "tea", payload: { n: 2 } }]);
      const same = await index.search({ vector: vector(0, 2, 0), limit: 10 });
      expect(same.hits).toMatchObject([{ id: "a", cosine: 1, keyword: false, bm25: 0, payload: { n: 2 } }]);
      await index.put([{ id: "a", text: "coffee" }]);
      expect(idsOf(await index.search({ vector: vector(0, 1, 0), limit: 10 }))).toEqual([]);
    });

    test("get their vector later, unless their text has changed by then", async () => {
      const { index } = bench();
      await index.put([
        { id: "a", text: "tea" },
        { id: "b", text: "coffee" },
      ]);
      await index.setVectors([
        { id: "a", vector: vector(1, 0, 0), revision: revisionOf("tea") },
        { id: "b", vector: vector(1, 0, 0), revision: revisionOf("what it was before") },
        { id: "gone", vector: vector(1, 0, 0) },
      ]);
      expect(idsOf(await index.search({ vector: vector(1, 0, 0), limit: 10 }))).toEqual(["a"]);
      await index.setVectors([{ id: "a", vector: vector(-1, 0, 0) }]);
      const { hits } = await index.search({ vector: vector(1, 0, 0), limit: 10 });
      expect(hits).toMatchObject([{ id: "a", cosine: -1 }]);
    });

    test("are removed by id and by filter, with their words and vectors", async () => {
      const { index } = bench();
      const make = (id: string, knowledgeBaseId: string) => ({
        id,
        text: "tea",
        payload: { knowledgeBaseId },
        vector: vector(1, 0, 0),
      });
      await index.put([make("a", "k"), make("b", "k"), make("c", "l"), make("d", "l")]);
      await index.remove(["a", "not there"]);
      await index.removeAll({ knowledgeBaseId: "l" });
      for (const query of [{ text: "tea" }, { vector: vector(1, 0, 0) }])
        expect(idsOf(await index.search({ ...query, limit: 10 }))).toEqual(["b"]);
      await index.removeAll({ knowledgeBaseId: { $in: [] } });
      expect(idsOf(await index.search({ text: "tea", limit: 10 }))).toEqual(["b"]);
      await index.removeAll();
      expect(idsOf(await index.search({ text: "tea", limit: 10 }))).toEqual([]);
    });

    test("belong to one workspace and one kind, even with equal ids", async () => {
      const { search, index, workspaceId } = bench();
      const other = search.tenant("memory", randomUUID());
      const entry = { id: "same", text: "tea", vector: vector(1, 0, 0) };
      await index.put([{ ...entry, payload: { of: "one" } }]);
      await other.put([{ ...entry, payload: { of: "other" } }]);
      for (const query of [{ text: "tea" }, { vector: vector(1, 0, 0) }, { text: "tea", filter: { of: "one" } }]) {
        const { hits } = await index.search({ ...query, limit: 10 });
        expect(hits).toMatchObject([{ id: "same", payload: { of: "one" } }]);
      }
      expect(idsOf(await search.tenant("tool", workspaceId).search({ text: "tea", limit: 10 }))).toEqual([]);
      await other.remove(["same"]);
      await search.removeWorkspace(randomUUID());
      expect(idsOf(await index.search({ text: "tea", limit: 10 }))).toEqual(["same"]);
      await search.removeWorkspace(workspaceId);
      expect(idsOf(await index.search({ text: "tea", limit: 10 }))).toEqual([]);
    });

    test("can be listed and looked up for reconciliation", async () => {
      const { search, index, workspaceId } = bench();
      await index.put(["a", "b", "c"].map(id => ({ id, text: `tea ${id}`, payload: { n: 1 } })));
      const listed: unknown[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof search.entries>> = await search.entries("memory", after, 2);
        listed.push(...page.items.filter(item => item.workspaceId === workspaceId));
        after = page.next;
      } while (after !== null);
      const entry = (id: string) => ({ workspaceId, id, revision: revisionOf(`tea ${id}`), payload: { n: 1 } });
      expect(listed).toHaveLength(3);
      expect(listed).toEqual(expect.arrayContaining(["a", "b", "c"].map(entry)));
      const wanted = ["b", "x"].map(id => ({ workspaceId, id }));
      expect(await search.held("memory", wanted)).toEqual([entry("b")]);
      expect(await search.held("memory", [{ workspaceId: randomUUID(), id: "b" }])).toEqual([]);
    });

    test.each([
      ["no id", { id: "", text: "x" }],
      ["a payload with depth", { id: "a", text: "x", payload: { deep: { er: 1 } as never } }],
      ["a list of numbers", { id: "a", text: "x", payload: { list: [1] as never } }],
      ["a vector of another dimension", { id: "a", text: "x", vector: vector(1, 2) }],
      ["a vector of zeros", { id: "a", text: "x", vector: vector(0, 0, 0) }],
      ["a vector that holds no number", { id: "a", text: "x", vector: vector(1, Number.NaN, 0) }],
    ])("with %s are refused", async (_, entry) => {
      const { index } = bench();
      await expect(index.put([entry])).rejects.toMatchObject({ code: "invalid_search" });
    });

    test("with a vector of an unknown model are rejected", async () => {
      const { index } = bench();
      const entry = { id: "a", text: "x", vector: { embedder: "stranger", values: [1, 0, 0] } };
      await expect(index.put([entry])).rejects.toMatchObject({ code: "unknown_embedder" });
    });
  });
}
