import { type ActionContext, call, handle } from "../../contracts/call.ts";
import { type Found, FOUND_TYPES, type FoundType } from "../../contracts/entities/found.ts";
import { errorCode } from "../../contracts/errors.ts";
import { asList, MAX_PAGE } from "../../contracts/primitives.ts";
import { nameMatcher } from "../../core/search/name-matcher.ts";
import { clip } from "../../core/clip.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";

const CALL_TIMEOUT_MS = 2_000;
const MAX_PAGES = 5;
const MAX_TITLE = 200;

type Ctx = ActionContext<"workspaces.search">;
interface Page<T> {
  items: T[];
  next: string | null;
}

/** The first few hundred items of a list. A search by name examines these. */
async function some<T>(ask: (given: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let n = 0; n < MAX_PAGES; n++) {
    const page: Page<T> = await ask({ limit: MAX_PAGE, ...(cursor !== null && { cursor }) });
    items.push(...page.items);
    cursor = page.next;
    if (cursor === null) break;
  }
  return items;
}

const place = { spaceId: null };
const options = { timeout: CALL_TIMEOUT_MS };
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Each query runs with the rights of the caller, so it finds only what the caller may read. */
const PARTS: { types: readonly FoundType[]; find: (ctx: Ctx) => Promise<Found[]> }[] = [
  {
    types: ["workflow", "step"],
    find: async ctx => {
      const { workspaceId, q, limit } = ctx.params;
      return (await call(ctx, "workflows.find", { workspaceId, q, limit }, options)).items;
    },
  },
  {
    types: ["run"],
    find: async ctx => {
      const { workspaceId, q } = ctx.params;
      const id = q.trim().toLowerCase();
      if (!RUN_ID.test(id)) return [];
      const run = await call(ctx, "executions.find", { workspaceId, id }, options).catch((error: unknown) => {
        if (errorCode(error) === "not_found") return null;
        throw error;
      });
      if (!run) return [];
      const [flow] = await call(ctx, "workflows.names", { workspaceId, ids: [run.workflowId] }, options);
      return [{ type: "run", id, spaceId: run.spaceId, title: flow?.name ?? id, subtitle: id }];
    },
  },
  {
    types: ["knowledge_base"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const bases = await some(page => call(ctx, "knowledge.list", { workspaceId, ...page }, options));
      return bases.map(({ id, name: title }) => ({ type: "knowledge_base", id, ...place, title, subtitle: null }));
    },
  },
  {
    types: ["tool_server"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const servers = await some(page => call(ctx, "mcp.list", { workspaceId, ...page }, options));
      return servers.map(({ id, name: title, url }) => ({ type: "tool_server", id, ...place, title, subtitle: url }));
    },
  },
  {
    types: ["api"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const apis = await some(page => call(ctx, "mcp.apis.list", { workspaceId, ...page }, options));
      return apis.map(({ id, name: title, serverUrl }) => ({ type: "api", id, ...place, title, subtitle: serverUrl }));
    },
  },
  {
    types: ["tool"],
    find: async ctx => {
      const { workspaceId, q: query, limit } = ctx.params;
      const tools = await call(ctx, "mcp.tools.search", { workspaceId, query, limit }, options);
      return tools.map(({ id, mcpServerId, name, title, description, operation }) => {
        const from = operation ? { apiId: mcpServerId } : { serverId: mcpServerId };
        return { type: "tool", id, ...from, ...place, title: title ?? name, subtitle: description || null };
      });
    },
  },
  {
    types: ["schedule"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const all = await some(page => call(ctx, "schedules.listAll", { workspaceId, ...page }, options));
      return all.map(({ id, spaceId, cronExpr, workflowName }) => {
        return { type: "schedule", id, spaceId, title: workflowName ?? cronExpr, subtitle: cronExpr };
      });
    },
  },
  {
    types: ["webhook"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const all = await some(page => call(ctx, "webhooks.listAll", { workspaceId, ...page }, options));
      return all.map(({ id, spaceId, name: title, workflowName }) => {
        return { type: "webhook", id, spaceId, title, subtitle: workflowName ?? null };
      });
    },
  },
  {
    types: ["credential"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const all = await some(page => call(ctx, "credentials.list", { workspaceId, ...page }, options));
      return all.map(({ id, name: title, hosts }) => {
        return { type: "credential", id, ...place, title, subtitle: hosts.join(", ") || null };
      });
    },
  },
  {
    types: ["variable"],
    find: async ctx => {
      // Values are left out, because a search shows names only.
      const { values } = await call(ctx, "variables.get", { workspaceId: ctx.params.workspaceId }, options);
      return Object.keys(values).map(name => ({ type: "variable", id: name, ...place, title: name, subtitle: null }));
    },
  },
  {
    types: ["file"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const all = await some(page => call(ctx, "files.list", { workspaceId, ...page }, options));
      return all.map(({ id, name: title, type: subtitle }) => ({ type: "file", id, ...place, title, subtitle }));
    },
  },
  {
    types: ["member"],
    find: async ctx => {
      const { workspaceId } = ctx.params;
      const all = await some(page => call(ctx, "workspaces.members", { workspaceId, ...page }, options));
      return all.map(({ userId: id, name, email }) => {
        return { type: "member", id, ...place, title: name ?? email ?? id, subtitle: email };
      });
    },
  },
];

/** The order of kinds for names that match equally well. */
const rank = (type: FoundType) => FOUND_TYPES.indexOf(type);

/**
 * Searches a workspace by the words of names. A part that does not respond is listed in the result and does not affect
 * the others.
 */
export const search = handle<"workspaces.search", WithStore>("workspaces.search", async function (ctx) {
  const { q, limit, types } = ctx.params;
  const wanted = new Set(asList(types ?? FOUND_TYPES));
  const fits = nameMatcher(q);
  const parts = PARTS.filter(part => part.types.some(type => wanted.has(type)));
  const answers = await Promise.allSettled(parts.map(part => part.find(ctx)));
  const missing = parts.flatMap((part, n) => (answers[n]!.status === "rejected" ? part.types : []));
  const items = answers
    .flatMap(answer => (answer.status === "fulfilled" ? answer.value : []))
    .filter(({ type }) => wanted.has(type))
    .map(item => {
      // The name of a step's workflow is shown, but does not count for the score.
      const subtitle = item.type === "step" ? (item.nodeId ?? null) : item.subtitle;
      return { item, score: item.type === "run" ? Infinity : fits({ title: item.title, subtitle }) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => (a.score === b.score ? rank(a.item.type) - rank(b.item.type) : b.score - a.score))
    .slice(0, limit)
    .map(({ item }) => ({
      ...item,
      title: clip(item.title, MAX_TITLE),
      subtitle: item.subtitle === null ? null : clip(item.subtitle, MAX_TITLE),
    }));
  return { items, missing: missing.filter(type => wanted.has(type)) };
});
