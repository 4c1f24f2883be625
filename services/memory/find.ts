import { setTimeout as sleep } from "node:timers/promises";
import type { SearchHit, SearchQuery, SearchResult, Vector } from "../../adapters/search/port.ts";
import { scoreOf } from "../../core/search/score.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import type { FoundMemory, MemoryScope } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import { confirmedHits } from "../../service-kit/indexed-documents.ts";
import { config } from "../../config.ts";
import { memories, type MemoryDoc, presentMemory } from "./model.ts";
import type { MemoryService, MemoryOwner } from "./service.ts";
import { vectorsNow } from "./vectors.ts";
import { indexOf } from "./write.ts";

/** Extra results, because some hits of the index may be outdated. */
const SPARE = 20;
/** The limit for all results together. It is smaller than a message between nodes may be. */
const MAX_FOUND_BYTES = 640 * 1024;

export interface MemoryQuery extends Omit<MemoryOwner, "scope"> {
  workspaceId: string;
  scope?: MemoryScope | undefined;
  query: string;
  limit: number;
  vector?: Vector | undefined;
}

type Fields = Pick<MemoryDoc, "userId"> & Partial<Pick<MemoryDoc, "scope" | "threadId" | "workflowId">>;

/** The hits of the index among the memories with these fields. They are not yet checked against the store. */
async function look(
  service: MemoryService,
  workspaceId: string,
  filter: Fields,
  { vector, ...byWords }: Omit<SearchQuery, "filter">,
): Promise<SearchResult> {
  const index = indexOf(service, workspaceId);
  const asked = { ...byWords, filter: { ...filter } as NonNullable<SearchQuery["filter"]> };
  if (!vector) return index.search(asked);
  try {
    return await index.search({ ...asked, vector });
  } catch (error) {
    // Another node has just switched to another embedding model.
    if ((error as { code?: unknown } | null)?.code !== "unknown_embedder") throw error;
    return { ...(await index.search(asked)), degraded: true };
  }
}

/** The hits that are current memories with these fields, as they are stored, best first. */
async function confirmed(service: MemoryService, workspaceId: string, filter: Fields, hits: readonly SearchHit[]) {
  const all = service.store.tenant(memories, workspaceId);
  const belongs = (doc: MemoryDoc) =>
    !doc.supersededById &&
    Object.entries(filter).every(([field, value]) => doc[field as keyof typeof filter] === value);
  const found = await confirmedHits(
    hits,
    // The filter contains only the ids. With more fields, the store would scan all memories of the user.
    async ids => (await all.find({ id: { $in: ids } }, { limit: ids.length })).items.filter(belongs),
    () => service.reconciling.soon(),
  );
  return found.map(({ hit, document: doc }) => ({ doc, score: scoreOf(hit) })).filter(({ score }) => score > 0);
}

/** Current memories that the search finds, as they are stored, best first. */
export async function findMemories(
  service: MemoryService,
  { workspaceId, userId, scope, threadId, workflowId, query: text, limit, vector }: MemoryQuery,
): Promise<{ found: { doc: MemoryDoc; score: number }[]; degraded: boolean }> {
  const filter = { userId, ...(scope && { scope }), ...(threadId && { threadId }), ...(workflowId && { workflowId }) };
  const asked = { text, ...(vector && { vector }), limit: limit + SPARE };
  const { hits, degraded } = await look(service, workspaceId, filter, asked);
  return { found: (await confirmed(service, workspaceId, filter, hits)).slice(0, limit), degraded };
}

/** For each text, the most similar current memories with these fields. All texts share one read of the store. */
export async function findSimilar(
  service: MemoryService,
  workspaceId: string,
  filter: Fields,
  texts: readonly { text: string; vector?: Vector | undefined }[],
  limit: number,
): Promise<MemoryDoc[][]> {
  const results = await Promise.all(
    texts.map(({ text, vector }) => look(service, workspaceId, filter, { text, ...(vector && { vector }), limit })),
  );
  const hits = [...new Map(results.flatMap(({ hits }) => hits).map(hit => [hit.id, hit])).values()];
  const docs = new Map((await confirmed(service, workspaceId, filter, hits)).map(({ doc }) => [doc.id, doc]));
  return results.map(({ hits }) => hits.flatMap(({ id }) => docs.get(id) ?? []));
}

/** @throws {AppError} unavailable when the index does not respond */
export async function searchMemories(service: MemoryService, question: MemoryQuery) {
  const { workspaceId, query } = question;
  const [vector] = await vectorsNow(service, workspaceId, [query]);
  try {
    const { found, degraded } = await findMemories(service, { ...question, vector });
    return { found, degraded: degraded || vector === undefined };
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (typeof code !== "string" || !/^search_(busy|timeout|unavailable)$/.test(code)) throw error;
    service.logger.warn("The search index did not answer.", error);
    throw new AppError("unavailable");
  }
}

export function presentFound(found: readonly { doc: MemoryDoc; score: number }[]): FoundMemory[] {
  let left = MAX_FOUND_BYTES;
  const shown = found.filter(({ doc }) => (left -= doc.bytes) >= 0);
  return shown.map(({ doc, score }) => ({ ...presentMemory(doc), score }));
}

export const search = handle<"memory.search", MemoryService>("memory.search", async function (ctx) {
  const { userId = callerOf(ctx).userId, ...question } = ctx.params;
  const { found, degraded } = await searchMemories(this, { ...question, userId });
  ctx.meta.degraded = degraded;
  return presentFound(found);
});

export const searchStep = handle<"memory.steps.search", MemoryService>("memory.steps.search", async function (ctx) {
  return presentFound((await searchMemories(this, ctx.params)).found);
});

/** Shorter than the caller's time limit. A server that does not respond within it counts as down. */
const PING_MS = 1_500;

export const searchState = handle<"memory.searchState", MemoryService>("memory.searchState", async function (ctx) {
  // An embedded index is available whenever the store is.
  if (config().QDRANT_URL === undefined) return { state: "embedded" };
  const answered = this.search.ping().catch(() => "down" as const);
  const state = await Promise.race([answered, sleep(PING_MS, "down" as const, { ref: false })]);
  if (!ctx.params.version || state === "down") return { state };
  const told = Promise.resolve(this.search.version?.() ?? null).catch(() => null);
  return { state, version: await Promise.race([told, sleep(PING_MS, null, { ref: false })]) };
});
