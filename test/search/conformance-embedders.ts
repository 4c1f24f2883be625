import { fill, idsOf, type Bench } from "./bench.ts";

const FIRST = { id: "model/a:1", dimension: 2 };
const SECOND = { id: "model/b:2", dimension: 3 };

export function describeEmbedders(bench: () => Bench): void {
  test("a change of the model builds a new index while searches use the old one, until the new one is complete", async () => {
    const { search, index, workspaceId } = bench();
    const old = (...values: number[]) => ({ embedder: FIRST.id, values });
    const now = (...values: number[]) => ({ embedder: SECOND.id, values });
    expect(await search.useEmbedder("knowledge", FIRST)).toEqual({ active: FIRST, building: null });
    await fill(search, "knowledge");
    await index.put([
      { id: "a", text: "tea", vector: old(1, 0) },
      { id: "b", text: "coffee" },
      { id: "c", text: "milk" },
    ]);
    const missing = await search.unembedded("knowledge", 100);
    expect(missing.map(({ id }) => id).sort()).toEqual(["b", "c"]);
    expect(missing.every(entry => entry.workspaceId === workspaceId)).toBe(true);
    await index.setVectors(
      missing.filter(({ id }) => id === "b").map(({ id, revision }) => ({ id, revision, vector: old(0, 1) })),
    );
    await search.giveUp(
      "knowledge",
      missing.filter(({ id }) => id === "c"),
    );
    expect(await search.unembedded("knowledge", 100)).toEqual([]);
    expect(await search.settle("knowledge")).toBe(false);

    expect(await search.useEmbedder("knowledge", SECOND)).toEqual({ active: FIRST, building: SECOND });
    expect(idsOf(await index.search({ vector: old(1, 0), limit: 9 }))).toEqual(["a", "b"]);
    expect((await index.search({ vector: old(1, 0), limit: 9 })).degraded).toBe(false);
    expect(await index.search({ vector: now(1, 0, 0), limit: 9 })).toMatchObject({ hits: [], degraded: true });
    expect(await search.settle("knowledge")).toBe(false);
    // What comes meanwhile is found by words, and embedded by the new model alone.
    await index.put([{ id: "d", text: "tea too", vector: now(0, 0, 1) }]);
    expect(idsOf(await index.search({ text: "tea", vector: old(1, 0), limit: 9 }))).toEqual(["a", "d", "b"]);
    for (let round = 0; round < 5 && (await search.embedders("knowledge")).building; round++) {
      const waiting = await search.unembedded("knowledge", 100);
      await index.setVectors(waiting.map(({ id, revision }) => ({ id, revision, vector: now(1, 0, 0) })));
      await search.settle("knowledge");
    }
    expect(await search.embedders("knowledge")).toEqual({ active: SECOND, building: null });
    const { hits, degraded } = await index.search({ vector: now(0, 0, 1), limit: 9 });
    expect(hits.map(({ id, cosine }) => [id, Number(cosine?.toFixed(3))])).toEqual([
      ["d", 1],
      ["a", 0],
      ["b", 0],
      ["c", 0],
    ]);
    expect(degraded).toBe(false);
    await expect(index.search({ vector: old(1, 0), limit: 9 })).rejects.toMatchObject({ code: "unknown_embedder" });
  });

  test("reverting a change of the model keeps the old vectors in use", async () => {
    const { search, index } = bench();
    const vector = { embedder: SECOND.id, values: [0, 1, 0] };
    await search.useEmbedder("knowledge", SECOND);
    await index.put([{ id: "a", text: "tea", vector }]);
    await search.useEmbedder("knowledge", { id: "third", dimension: 4 });
    expect(await search.useEmbedder("knowledge", SECOND)).toEqual({ active: SECOND, building: null });
    expect(idsOf(await index.search({ vector, limit: 9 }))).toEqual(["a"]);
    expect((await search.unembedded("knowledge", 100)).map(({ id }) => id)).not.toContain("a");
  });

  test("an embedder with 0 dimensions or without a name is rejected", async () => {
    const { search } = bench();
    for (const embedder of [
      { id: "", dimension: 3 },
      { id: "x", dimension: 0 },
      { id: "x", dimension: 5000 },
    ])
      await expect(search.useEmbedder("knowledge", embedder)).rejects.toMatchObject({ code: "invalid_search" });
  });

  test("entries that wait for vectors are shared fairly between workspaces", async () => {
    const { search, index, workspaceId } = bench();
    await search.useEmbedder("knowledge", FIRST);
    const entry = (id: string) => ({ id, text: "tea" });
    await index.put(Array.from({ length: 60 }, (_, n) => entry(`many-${n}`)));
    const other = search.tenant("knowledge", `${workspaceId}-other`);
    await other.put([entry("few")]);
    for (let round = 0; round < 5; round++) {
      const drawn = await search.unembedded("knowledge", 20);
      expect(drawn).toHaveLength(20);
      expect(drawn.filter(({ id }) => id === "few")).toHaveLength(1);
    }
    const all = (await search.unembedded("knowledge", 500)).filter(one => one.workspaceId.startsWith(workspaceId));
    expect(new Set(all.map(({ id }) => id)).size).toBe(61);
    await other.removeAll();
  });
}
