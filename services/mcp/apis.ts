import { v7 as uuid } from "uuid";
import { callerOf, handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE, markDeleted } from "../../service-kit/tombstone.ts";
import { checkApiCredentials } from "./api-credentials.ts";
import { givenDocument } from "./api-document.ts";
import { apiDocuments, presentApi, type ServerDoc, servers } from "./model.ts";
import { aliveApi, IS_API, type Self } from "./service.ts";

export const createApi = handle<"mcp.apis.create", Self>("mcp.apis.create", async function (ctx) {
  const { workspaceId, name, baseUrl = null, agents = false, credentialId = null, credentials = {} } = ctx.params;
  const document = await givenDocument(this, workspaceId, ctx.params);
  if (!document) {
    const message = "Give the address of the document, the document, or a file with it.";
    throw new AppError("validation_failed", { errors: [{ path: "/url", message }] });
  }
  await checkApiCredentials(ctx, workspaceId, { credentialId, credentials });
  const all = this.store.tenant(servers, workspaceId);
  await ensureLimit("mcp_servers", workspaceId, all, { ...ALIVE });
  const id = newId(ctx);
  const now = new Date();
  const server: ServerDoc = {
    ...{ id, workspaceId, name, ...IS_API, url: "url" in document ? document.url : "", authType: "none", agents },
    ...(credentialId !== null && { credentialId }),
    ...{ baseUrl, credentials, revision: uuid(), version: 1 },
    ...{ status: "unknown", syncAt: now, failures: 0, toolCount: 0, droppedTools: [], newsCount: 0, news: [] },
    ...{ createdBy: callerOf(ctx).userId, createdAt: now, updatedAt: now },
  };
  const documents = this.store.tenant(apiDocuments, workspaceId);
  const uploaded =
    "text" in document ? [documents.ops.insert({ id, workspaceId, text: document.text, createdAt: now })] : [];
  const former = await insertOnce(
    () => this.store.write([...uploaded, all.ops.insert(server)]),
    () => all.get({ id, ...ALIVE }),
  );
  if (former) return presentApi(former);
  this.syncs.start(server);
  return presentApi(server);
});

export const listApis = handle<"mcp.apis.list", WithStore>("mcp.apis.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const page = { sort: { id: -1 } as const, limit, after };
  const { items, next } = await this.store.tenant(servers, workspaceId).find({ ...IS_API, ...ALIVE }, page);
  return { items: items.map(presentApi), next };
});

export const getApi = handle<"mcp.apis.get", WithStore>("mcp.apis.get", async function (ctx) {
  return presentApi(await aliveApi(this, ctx.params.workspaceId, ctx.params.id));
});

/** The API disappears at once. Its operations, their index entries and its document are purged later. */
export const removeApi = handle<"mcp.apis.remove", Self>("mcp.apis.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const change = { $set: markDeleted(new Date()), $unset: { syncAt: true, syncHolder: true } } as const;
  const all = this.store.tenant(servers, workspaceId);
  if (!(await all.updateOne({ id, ...IS_API, ...ALIVE }, change))) throw notFound("API");
  this.sweeper.soon();
  return null;
});

export const syncApi = handle<"mcp.apis.sync", Self>(
  "mcp.apis.sync",
  async function (ctx) {
    await aliveApi(this, ctx.params.workspaceId, ctx.params.id);
    const { status, toolCount } = await this.syncs.now(ctx.params);
    return { operationsSynced: status === "connected" ? toolCount : 0, status };
  },
  { timeout: 60_000, outside: true },
);
