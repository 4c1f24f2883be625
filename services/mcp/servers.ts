import { v7 as uuid } from "uuid";
import { callerOf, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { ensureLimit, usedOf } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE, markDeleted } from "../../service-kit/tombstone.ts";
import { authOf, bothCredentialsError, pickCredential } from "./credential.ts";
import { presentServer, type ServerDoc, servers } from "./model.ts";
import { checkNamed } from "./named-credential.ts";
import { aliveMcpServer, IS_MCP, type Self } from "./service.ts";
import { sealedAuth } from "./sealed-auth.ts";

export const create = handle<"mcp.create", Self>("mcp.create", async function (ctx) {
  const { workspaceId, name, url, authType, agents } = ctx.params;
  const { credentialId = null } = ctx.params;
  const auth = authOf(authType, pickCredential(ctx.params), null);
  if (credentialId !== null && authType !== "none") throw bothCredentialsError();
  if (credentialId !== null) await checkNamed(ctx, ctx.params, credentialId);
  const all = this.store.tenant(servers, workspaceId);
  await ensureLimit("mcp_servers", workspaceId, all, { ...ALIVE });
  const id = newId(ctx);
  const now = new Date();
  const credential = sealedAuth(this, id, auth);
  const server: ServerDoc = {
    ...{
      id,
      workspaceId,
      name,
      url,
      authType,
      agents,
      ...(credential && { credential }),
      ...(credentialId !== null && { credentialId }),
      revision: uuid(),
      version: 1,
    },
    ...{ status: "unknown", syncAt: now, failures: 0, toolCount: 0, droppedTools: [], newsCount: 0, news: [] },
    ...{ createdBy: callerOf(ctx).userId, createdAt: now, updatedAt: now },
  };
  const former = await insertOnce(
    () => all.insert(server),
    () => all.get({ id, ...ALIVE }),
  );
  if (former) return presentServer(former);
  this.syncs.start(server);
  return presentServer(server);
});

export const list = handle<"mcp.list", WithStore>("mcp.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const found = await this.store
    .tenant(servers, workspaceId)
    .find({ ...IS_MCP, ...ALIVE }, { sort: { id: -1 }, limit, after });
  return { items: found.items.map(presentServer), next: found.next };
});

export const get = handle<"mcp.get", WithStore>("mcp.get", async function (ctx) {
  return presentServer(await aliveMcpServer(this, ctx.params.workspaceId, ctx.params.id));
});

/** The server disappears at once. Its tools and their index entries are purged later. */
export const remove = handle<"mcp.remove", Self>("mcp.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const change = {
    $set: markDeleted(new Date()),
    $unset: { syncAt: true, syncHolder: true, credential: true },
  } as const;
  if (!(await this.store.tenant(servers, workspaceId).updateOne({ id, ...IS_MCP, ...ALIVE }, change))) {
    throw notFound("MCP server");
  }
  this.sweeper.soon();
  return null;
});

export const sync = handle<"mcp.sync", Self>(
  "mcp.sync",
  async function (ctx) {
    await aliveMcpServer(this, ctx.params.workspaceId, ctx.params.id);
    const { status, toolCount } = await this.syncs.now(ctx.params);
    return { toolsSynced: status === "connected" ? toolCount : 0, status };
  },
  { timeout: 60_000, outside: true },
);

export const count = handle<"mcp.count", Self>("mcp.count", async function (ctx) {
  const counts = await this.store.tenant(servers, ctx.params.workspaceId).tally({ ...IS_MCP, ...ALIVE }, "status");
  const { unknown = 0, connected = 0, error = 0 } = counts;
  return { total: unknown + connected + error, byStatus: { unknown, connected, error } };
});

export const usage = handle<"mcp.usage", Self>("mcp.usage", async function (ctx) {
  return { mcp_servers: await usedOf(this.store.tenant(servers, ctx.params.workspaceId), { ...ALIVE }) };
});
