import type { SearchResult } from "../../adapters/search/port.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { scoreOf } from "../../core/search/score.ts";
import { confirmedHits } from "../../service-kit/indexed-documents.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { questionVector } from "../../service-kit/model-vectors.ts";
import { presentTool, servers, tools } from "./model.ts";
import { firstThatFit, withServers } from "./read-tools.ts";
import type { Self } from "./service.ts";

/** Extra results, because some hits of the index may be outdated. */
const SPARE = 20;
/** The most values in a search filter. A workspace has fewer servers. */
const MAX_SERVERS = 1_000;

interface ToolQuery {
  workspaceId: string;
  query: string;
  limit: number;
  /** Searches only tools of these servers; all tools if absent. */
  serverIds?: readonly string[];
}

/** `degraded` is true if the search used keywords only. */
async function hitsOf(self: Self, { workspaceId, query: text, limit, serverIds }: ToolQuery): Promise<SearchResult> {
  const index = self.search.tenant("tool", workspaceId);
  const vector = await questionVector(self, "tool", workspaceId, text);
  const filter = serverIds && { server: { $in: serverIds } };
  const byWords = { text, limit: limit + SPARE, ...(filter && { filter }) };
  try {
    const { hits, degraded } = await index.search({ ...byWords, ...(vector && { vector }) });
    return { hits, degraded: degraded || vector === null };
  } catch (error) {
    const { code } = error as { code?: string };
    // Another node has just switched to another model.
    if (code === "unknown_embedder") return { ...(await index.search(byWords)), degraded: true };
    if (code?.startsWith("search_")) throw new AppError("unavailable", { detail: "The search index does not answer." });
    throw error;
  }
}

/**
 * Tools that match by meaning or by keywords, best first, as they are stored.
 * @throws {AppError} unavailable when the index does not respond
 */
async function findTools(self: Self, question: ToolQuery) {
  const { workspaceId, limit } = question;
  const all = self.store.tenant(tools, workspaceId);
  const { hits, degraded } = await hitsOf(self, question);
  const confirmed = await confirmedHits(
    hits,
    async ids => (await all.find({ id: { $in: ids } }, { limit: ids.length })).items,
    () => self.reconciling.soon(),
  );
  const scored = confirmed.map(({ hit, document: doc }) => ({ doc, score: scoreOf(hit) })).filter(one => one.score > 0);
  return { found: firstThatFit((await withServers(self, workspaceId, scored)).slice(0, limit)), degraded };
}

export const searchTools = handle<"mcp.tools.search", Self>("mcp.tools.search", async function (ctx) {
  const { found, degraded } = await findTools(this, ctx.params);
  ctx.meta.degraded = degraded;
  return found.map(({ doc, serverName, score }) => ({ ...presentTool(doc, serverName), score }));
});

/**
 * An agent that selects tools by itself may use only servers marked for agents, so that not every credential is
 * available to it.
 */
export const findForSteps = handle<"mcp.tools.find", Self>("mcp.tools.find", async function (ctx) {
  const all = this.store.tenant(servers, ctx.params.workspaceId);
  const marked = (await all.find({ agents: true, ...ALIVE }, { limit: MAX_SERVERS })).items.map(({ id }) => id);
  if (marked.length === 0) return { tools: [], servers: 0 };
  const { found } = await findTools(this, { ...ctx.params, serverIds: marked });
  const own = found.filter(({ doc }) => marked.includes(doc.serverId));
  return { tools: own.map(({ doc, serverName }) => presentTool(doc, serverName)), servers: marked.length };
});
