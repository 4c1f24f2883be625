import { v7 as uuid } from "uuid";
import type { KnowledgeMatch } from "../../contracts/entities/knowledge.ts";
import knowledge from "../../services/knowledge/knowledge.service.ts";
import { entries } from "../../services/knowledge/model.ts";
import type { KnowledgeService } from "../../services/knowledge/service.ts";
import models from "../../services/models/models.service.ts";
import { FakeModels } from "../support/fake-models.ts";
import { aroundKnowledge, type Base, newBase as createBase } from "../support/knowledge.ts";
import { ownDataDir, refusal, userIdentity, startServices, type ServiceNode, until } from "../support/service-node.ts";

ownDataDir();

const owner = userIdentity();
let fake: FakeModels;
let node: ServiceNode;
let service: KnowledgeService;
beforeAll(async () => {
  fake = await FakeModels.open({ dimensions: 512 });
  Object.assign(process.env, { EMBEDDINGS_BASE_URL: fake.baseUrl, EMBEDDINGS_MODEL: "small" });
  node = await startServices(knowledge, models, ...aroundKnowledge());
  service = node.service<KnowledgeService>("knowledge");
});
afterAll(async () => {
  await node.stop();
  await fake.close();
});

const workspaceId = uuid();
const inside = { workspaceId };

const newBase = (workspace = inside) => createBase(node, owner, workspace.workspaceId);

const add = (base: Base, content: string, metadata: Record<string, unknown> = {}) =>
  node.act(owner, "knowledge.entries.create", { ...base, content, metadata });
const status = async (base: Base, entryId: string) =>
  (await node.act(owner, "knowledge.entries.get", { ...base, entryId })).embeddingStatus;
const ready = (base: Base, entryId: string) => until(async () => (await status(base, entryId)) === "ready");
const contents = (matches: KnowledgeMatch[]) => matches.map(({ content }) => content);

describe("knowledge bases", () => {
  it("are listed with the number of their entries, and change", async () => {
    const workspace = { workspaceId: uuid() };
    const base = await newBase(workspace);
    const other = await newBase(workspace);
    await Promise.all(["a", "b", "a"].map(content => add(base, content)));
    const { items } = await node.act(owner, "knowledge.list", workspace);
    const times = { createdAt: expect.any(String) as string, updatedAt: expect.any(String) as string };
    expect(items).toEqual([
      { id: other.id, name: "Handbook", description: "", ...workspace, ...times, entryCount: 0, entryBytes: 0 },
      { id: base.id, name: "Handbook", description: "", ...workspace, ...times, entryCount: 3, entryBytes: 9 },
    ]);
    const changed = await node.act(owner, "knowledge.update", { ...base, description: "All of it" });
    expect(changed).toMatchObject({ id: base.id, name: "Handbook", description: "All of it", ...workspace });
    expect(await node.act(owner, "knowledge.get", base)).toEqual(changed);
  });

  it("are deleted at once with their entries, and later in the index", async () => {
    const base = await newBase();
    const { id: entryId } = await add(base, "Something about zeppelins");
    await node.act(owner, "knowledge.remove", base);
    const gone = refusal("not_found");
    await expect(node.act(owner, "knowledge.get", base)).rejects.toEqual(gone);
    await expect(node.act(owner, "knowledge.entries.get", { ...base, entryId })).rejects.toEqual(gone);
    await expect(node.act(owner, "knowledge.search", { ...base, query: "zeppelins" })).rejects.toEqual(gone);
    await expect(add(base, "more")).rejects.toEqual(gone);
    await expect(node.act(owner, "knowledge.remove", base)).rejects.toEqual(gone);
    await until(async () => {
      const held = await service.search.held("knowledge", [{ workspaceId, id: `${entryId}:0` }]);
      const left = await service.store.tenant(entries, workspaceId).count({ knowledgeBaseId: base.id });
      return held.length + left === 0;
    });
  });

  it("of another workspace are not found", async () => {
    const base = await newBase();
    const { id: entryId } = await add(base, "Ours alone");
    const elsewhere = { workspaceId: uuid(), id: base.id };
    const gone = refusal("not_found");
    await expect(node.act(owner, "knowledge.search", { ...elsewhere, query: "ours" })).rejects.toEqual(gone);
    await expect(node.act(owner, "knowledge.entries.list", elsewhere)).rejects.toEqual(gone);
    await expect(node.act(owner, "knowledge.entries.remove", { ...elsewhere, entryId })).rejects.toEqual(gone);
  });

  it("leave nothing when their workspace is purged", async () => {
    const workspace = { workspaceId: uuid() };
    const base = await newBase(workspace);
    const { id } = await add(base, "Whatever");
    await node.act(null, "knowledge.purge", workspace);
    expect((await node.act(owner, "knowledge.list", workspace)).items).toEqual([]);
    expect(await service.search.held("knowledge", [{ ...workspace, id: `${id}:0` }])).toEqual([]);
  });
});

describe("a search", () => {
  it("finds by words at once, and by meaning once there are vectors", async () => {
    const base = await newBase();
    const letGo = fake.hold();
    const entry = await add(base, "The reimbursement of travelling expenses takes two weeks.", { lang: "en" });
    expect(entry.embeddingStatus).toBe("pending");
    const byWords = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "expenses" });
    expect(byWords).toEqual([
      {
        ...entry,
        score: 0.2,
        matched: "keyword",
        chunk: { index: 0, start: 0, end: entry.content.length },
      },
    ]);
    letGo();
    await ready(base, entry.id);
    const bySense = () => node.act(owner, "knowledge.search", { ...base, query: entry.content });
    // A new index on a server answers by words until it is known to be whole.
    await until(async () => (await bySense())[0]?.matched === "hybrid");
    const same = await bySense();
    expect(same).toMatchObject([{ id: entry.id, matched: "hybrid", embeddingStatus: "ready" }]);
    expect(same[0]!.score).toBeCloseTo(1.2, 2);
    // No word of it is there, parts of words are.
    const [near] = await node.act(owner, "knowledge.search", { ...base, query: "reimburse traveler" });
    expect(near).toMatchObject({ id: entry.id });
    expect(near!.score).toBeGreaterThan(0.1);
  });

  it("filters by metadata at any depth", async () => {
    const base = await newBase();
    await add(base, "Holidays are booked early", { lang: "en", tags: ["hr", "time"], by: { year: 2024 } });
    await add(base, "Holidays are booked late", { lang: "de", tags: ["it"], by: { year: 2025 } });
    const find = async (filter: Record<string, never> | object) =>
      contents(await node.act(owner, "knowledge.search", { ...base, query: "holidays", filter: filter as never }));
    expect(await find({ "metadata.lang": "en" })).toEqual(["Holidays are booked early"]);
    expect(await find({ "metadata.tags": "it" })).toEqual(["Holidays are booked late"]);
    expect(await find({ "metadata.by.year": { $in: [2024, 2023] } })).toEqual(["Holidays are booked early"]);
    expect(await find({ "metadata.lang": { $ne: "en" } })).toEqual(["Holidays are booked late"]);
    expect(await find({ "metadata.lang": "fr" })).toEqual([]);
    await expect(find({ base: "x" })).rejects.toEqual(refusal("validation_failed"));
    await expect(find({ "metadata.lang": { $gt: 1 } })).rejects.toEqual(refusal("validation_failed"));
  });

  it("says which passage of a long entry matches, and gives each entry once", async () => {
    const base = await newBase();
    const filler = "Nothing of interest is said here, and at some length. ".repeat(60);
    const content = `${filler}\n\nThe aardvark opens the gate at seven. ${filler}`;
    await add(base, content);
    const [match, ...rest] = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "aardvark gate" });
    expect(rest).toEqual([]);
    const { start, end, index } = match!.chunk;
    expect(content.slice(start, end)).toContain("The aardvark opens the gate at seven.");
    expect(end - start).toBeLessThanOrEqual(1_200);
    expect(index).toBeGreaterThan(0);
    const { matches } = await node.act(null, "knowledge.retrieve", {
      workspaceId,
      knowledgeBaseId: base.id,
      query: "aardvark",
      limit: 1,
    });
    expect(matches).toMatchObject([{ content: content.slice(start, end), chunk: { start, end } }]);
  });

  it("returns the best entries first, and at most the requested number", async () => {
    const base = await newBase();
    await Promise.all(Array.from({ length: 30 }, (_, at) => add(base, `Rule ${at}: lock the door`)));
    const all = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "door", limit: 100 });
    expect(new Set(all.map(({ id }) => id)).size).toBe(30);
    const some = await node.act(owner, "knowledge.search", { ...base, query: "lock the door" });
    expect(some).toHaveLength(10);
    expect(some.map(({ score }) => score)).toEqual(some.map(({ score }) => score).sort((a, b) => b - a));
    await expect(node.act(owner, "knowledge.search", { ...base, query: "x", limit: 101 })).rejects.toEqual(
      refusal("validation_failed"),
    );
  });

  it("never returns removed entries, even if the index still has them", async () => {
    const base = await newBase();
    const { id: entryId } = await add(base, "Secret ingredients of the soup");
    const { id: kept } = await add(base, "Open secrets of the soup");
    // Gone from the store alone, as where a node dies before the index hears of it.
    await service.store.tenant(entries, workspaceId).remove({ id: entryId });
    const found = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "soup" });
    expect(found.map(({ id }) => id)).toEqual([kept]);
    await node.act(owner, "knowledge.entries.remove", { ...base, entryId: kept });
    expect(await node.act(owner, "knowledge.search", { ...base, query: "soup" })).toEqual([]);
    await until(async () => {
      const held = await service.search.held("knowledge", [{ workspaceId, id: `${kept}:0` }]);
      return held.length === 0;
    });
  });

  it("returns passages if whole entries would be too much for one answer", async () => {
    const base = await newBase();
    const long = `The lighthouse. ${"Words upon words follow. ".repeat(100)}`;
    for (let count = 0; count < 3; count++) await add(base, long);
    const large = { $set: { bytes: 300_000 } };
    await service.store.tenant(entries, workspaceId).updateMany({ knowledgeBaseId: base.id }, large);
    const found = await node.act(owner, "knowledge.searchByKeywords", { ...base, query: "lighthouse" });
    expect(found).toHaveLength(3);
    expect(found.map(({ excerpt = false }) => excerpt)).toEqual([false, true, true]);
    expect(found[2]!.content).toBe(long.slice(found[2]!.chunk.start, found[2]!.chunk.end));
  });
});

describe("vectors", () => {
  const idle = () =>
    until(async () => (await service.store.acrossTenants(entries).count({ pendingSince: { $exists: true } })) === 0);

  it("are not retried if the model rejects a text, which words can still find", async () => {
    const base = await newBase();
    await idle();
    fake.options.maxChars = 100;
    const text = `Something that is refused. ${"And it is far too long. ".repeat(20)}`;
    const { id: refused } = await add(base, text);
    const { id: taken } = await add(base, "Something else");
    await until(async () => {
      service.embeddings.soon();
      return (await status(base, refused)) === "failed";
    });
    await ready(base, taken);
    fake.options.maxChars = Infinity;
    const found = await node.act(owner, "knowledge.search", { ...base, query: "refused something" });
    expect(found.find(({ id }) => id === refused)).toMatchObject({ score: 0.2, matched: "keyword" });
  });

  it("exist for texts without words too", async () => {
    const base = await newBase();
    const { id } = await add(base, "!!! 🎉 ???");
    await ready(base, id);
  });

  it("of a long entry must all exist before the entry is ready", async () => {
    const base = await newBase();
    await idle();
    const { id } = await add(base, "All of it has to be there. ".repeat(4_000));
    await ready(base, id);
    expect(await service.store.tenant(entries, workspaceId).get({ id })).toMatchObject({
      vectors: expect.stringMatching(/^1{80,}$/) as string,
    });
  });

  it("are added later for entries that the index missed or whose status was not stored", async () => {
    const base = await newBase();
    await idle();
    const { id: lost } = await add(base, "A lost passage about herons");
    const { id: done } = await add(base, "A passage about storks");
    await Promise.all([lost, done].map(id => ready(base, id)));
    await service.search.tenant("knowledge", workspaceId).remove([`${lost}:0`]);
    const all = service.store.tenant(entries, workspaceId);
    const before = { embeddingStatus: "pending" as const, vectors: "0", pendingSince: new Date(0) };
    await all.updateMany({ id: { $in: [lost, done] } }, { $set: before });
    for (const id of [lost, done]) {
      await until(async () => {
        service.sweeper.soon();
        return (await status(base, id)) === "ready";
      });
    }
    const found = await node.act(owner, "knowledge.search", { ...base, query: "herons" });
    expect(found[0]).toMatchObject({ id: lost, matched: "hybrid" });
  });
});
