import type { SearchResult, Vector } from "../../adapters/search/port.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import type { KnowledgeMatch, Retrieved } from "../../contracts/entities/knowledge.ts";
import { AppError } from "../../contracts/errors.ts";
import { type Passage, passagesOf } from "../../core/knowledge/passages.ts";
import { questionVector } from "../../service-kit/model-vectors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { entries, type EntryDoc, presentEntry } from "./model.ts";
import { aliveBase, type Self } from "./service.ts";

type SearchParams = Pick<ParamsOf<"knowledge.search">, "query" | "limit" | "filter"> & {
  workspaceId: string;
  knowledgeBaseId: string;
};

interface Found {
  entry: EntryDoc;
  passage: Passage;
}

/** The number of passages to search for each wanted entry, because several may belong to the same entry. */
const FACTOR = 5;
const MAX_HITS = 1_000;
/** The number of entries that are read together. Each may be large. */
const READ = 10;
/** The limit for all contents in one response. Further results show only their passages. */
const MAX_ANSWER_BYTES = 512 * 1024;

async function hitsOf(self: Self, question: SearchParams, vector: Vector | null, limit: number): Promise<SearchResult> {
  const { workspaceId, knowledgeBaseId, query, filter } = question;
  const index = self.search.tenant("knowledge", workspaceId);
  const base = { text: query, filter: { ...filter, base: knowledgeBaseId }, limit };
  const byWords = () => index.search({ ...base, mode: "keyword" });
  try {
    return await (vector ? index.search({ ...base, vector }) : byWords());
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "invalid_search") {
      throw new AppError("validation_failed", { errors: [{ path: "/filter", message: (error as Error).message }] });
    }
    // Another node has just switched to another model.
    if (code === "unknown_embedder") return { ...(await byWords()), degraded: true };
    if (code?.startsWith("search_")) throw new AppError("unavailable", { detail: "The search index does not answer." });
    throw error;
  }
}

/** The passages whose entries still exist, up to `limit`. The index may be out of date. */
async function aliveOf(self: Self, question: SearchParams, passages: readonly Passage[]): Promise<Found[]> {
  const { workspaceId, knowledgeBaseId, limit } = question;
  const all = self.store.tenant(entries, workspaceId);
  const found: Found[] = [];
  for (let from = 0; from < passages.length && found.length < limit; from += READ) {
    const some = passages.slice(from, from + READ);
    const ids = some.map(({ entryId }) => entryId);
    const { items } = await all.find({ id: { $in: ids }, knowledgeBaseId, ...ALIVE }, { limit: READ });
    const byId = new Map(items.map(entry => [entry.id, entry]));
    for (const passage of some) {
      const entry = byId.get(passage.entryId);
      if (entry) found.push({ entry, passage });
    }
  }
  return found.slice(0, limit);
}

/** @throws {AppError} not_found when there is no such base, validation_failed for an invalid filter, unavailable */
async function find(self: Self, question: SearchParams, byMeaning: boolean) {
  const { workspaceId, knowledgeBaseId, query, limit } = question;
  await aliveBase(self, workspaceId, knowledgeBaseId);
  const vector = byMeaning ? await questionVector(self, "knowledge", workspaceId, query) : null;
  let found: Found[] = [];
  let degraded = byMeaning && vector === null;
  for (const count of [Math.min(MAX_HITS, limit * FACTOR), MAX_HITS]) {
    const result = await hitsOf(self, question, vector, count);
    degraded ||= result.degraded;
    found = await aliveOf(self, question, passagesOf(result.hits));
    if (found.length === limit || result.hits.length < count) break;
  }
  // The base may have been deleted during the search.
  await aliveBase(self, workspaceId, knowledgeBaseId);
  return { found, degraded };
}

const passageText = ({ entry, passage: { chunk } }: Found) => entry.content.slice(chunk.start, chunk.end);

function present(all: readonly Found[]): KnowledgeMatch[] {
  let left = MAX_ANSWER_BYTES;
  return all.map(found => {
    const { entry, passage } = found;
    const { score, matched, chunk } = passage;
    left -= entry.bytes;
    const excerpt = left < 0 && passageText(found).length < entry.content.length;
    const shown = presentEntry(entry);
    return { ...shown, ...(excerpt && { content: passageText(found), excerpt }), score, matched, chunk };
  });
}

export const search = handle<"knowledge.search", Self>("knowledge.search", async function (ctx) {
  const { id: knowledgeBaseId, ...question } = ctx.params;
  const { found, degraded } = await find(this, { ...question, knowledgeBaseId }, true);
  ctx.meta.degraded = degraded;
  return present(found);
});

export const searchByKeywords = handle<"knowledge.searchByKeywords", Self>(
  "knowledge.searchByKeywords",
  async function (ctx) {
    const { id: knowledgeBaseId, ...question } = ctx.params;
    const { found, degraded } = await find(this, { ...question, knowledgeBaseId }, false);
    ctx.meta.degraded = degraded;
    return present(found);
  },
);

const retrievedOf = (found: Found): Retrieved => {
  const { entry, passage } = found;
  const { score, matched, chunk } = passage;
  return { id: entry.id, content: passageText(found), metadata: entry.metadata, score, matched, chunk };
};

export const retrieve = handle<"knowledge.retrieve", Self>("knowledge.retrieve", async function (ctx) {
  return { matches: (await find(this, ctx.params, true)).found.map(retrievedOf) };
});
