import { callerOf, handle, hint, roleOf } from "../../contracts/call.ts";
import type { CredentialUse } from "../../contracts/entities/credential.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { ensureLimit, usedOf } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { checkedData, checkedHosts, ensureSpaces, ensureUsable } from "./check-input.ts";
import { type CredentialDoc, credentials, presentCredential } from "./model.ts";
import { findCredential, type Self } from "./service.ts";
import { initialStatus } from "./initial-status.ts";
import { presentOne, presentWithUses, usesOf } from "./uses.ts";

/** The most uses that the error of a refused deletion lists. */
const MAX_NAMED = 100;
const KINDS = { workflow: "deployed workflow", webhook: "webhook", mcp_server: "MCP server", api: "API" };

/** The details of a rejected deletion. */
function inUse(uses: readonly CredentialUse[]) {
  const counted = [...Map.groupBy(uses, ({ kind }) => kind)].map(
    ([kind, { length }]) => `${length} ${KINDS[kind]}${length === 1 ? "" : "s"}`,
  );
  const detail = `In use by ${counted.join(", ")}. With \`force=true\` the credential is deleted, and what uses it fails.`;
  return { detail, usedBy: uses.slice(0, MAX_NAMED) };
}

export const nameTaken = (name: string) =>
  new AppError("name_taken", { detail: `A credential of this workspace is already named "${name}".` });

export const create = handle<"credentials.create", Self>("credentials.create", async function (ctx) {
  const { workspaceId, name, type, spaceIds } = ctx.params;
  const data = checkedData(type, ctx.params.data);
  await ensureUsable(type, data);
  const hosts = checkedHosts(type, data, ctx.params.hosts, roleOf(ctx));
  const all = this.store.tenant(credentials, workspaceId);
  await ensureSpaces(ctx, workspaceId, spaceIds);
  await ensureLimit("credentials", workspaceId, all, {});
  const id = newId(ctx);
  const now = new Date();
  const doc: CredentialDoc = {
    ...{ id, workspaceId, name, type, hosts, spaceIds },
    fields: Object.keys(data),
    data: this.sealer.seal(JSON.stringify(data), id),
    revision: 1,
    ...initialStatus(type, data),
    ...{ createdBy: callerOf(ctx).userId, createdAt: now, updatedAt: now },
  };
  const former = await insertOnce(
    () => all.insert(doc),
    async () => {
      const made = await all.get({ id });
      if (!made) throw nameTaken(name);
      return made;
    },
  );
  return former ? presentOne(ctx, former) : presentCredential(doc, []);
});

export const list = handle<"credentials.list", WithStore>("credentials.list", async function (ctx) {
  const { workspaceId, type, limit, cursor: after = null } = ctx.params;
  const filter = type === undefined ? {} : { type };
  const found = await this.store.tenant(credentials, workspaceId).find(filter, { sort: { id: -1 }, limit, after });
  return { items: await presentWithUses(ctx, found.items), next: found.next };
});

export const get = handle<"credentials.get", WithStore>("credentials.get", async function (ctx) {
  return presentOne(ctx, await findCredential(this, ctx.params.workspaceId, ctx.params.id));
});

export const remove = handle<"credentials.remove", Self>("credentials.remove", async function (ctx) {
  const { workspaceId, id, force } = ctx.params;
  const doc = await findCredential(this, workspaceId, id);
  if (!force) {
    const uses = (await usesOf(ctx, [doc])).get(id) ?? [];
    const usedBy = uses.filter(use => use.deployed);
    if (usedBy.length > 0) throw new AppError("credential_in_use", inUse(usedBy));
  }
  if ((await this.store.tenant(credentials, workspaceId).remove({ id })) === 0) throw notFound("credential");
  hint(this.broker, "all", "credential.changed", { workspaceId, id });
  return null;
});

export const named = handle<"credentials.named", WithStore>("credentials.named", async function (ctx) {
  const { workspaceId, ids, names } = ctx.params;
  const filter = { $or: [{ id: { $in: ids } }, { name: { $in: names } }] };
  const { items } = await this.store.tenant(credentials, workspaceId).find(filter, { limit: 400 });
  return {
    credentials: items.map(({ id, name, type, hosts, spaceIds = null }) => ({ id, name, type, hosts, spaceIds })),
  };
});

export const purge = handle<"credentials.purge", WithStore>("credentials.purge", async function (ctx) {
  await removeAll(this.store.tenant(credentials, ctx.params.workspaceId), {});
  return null;
});

export const usage = handle<"credentials.usage", WithStore>("credentials.usage", async function (ctx) {
  return { credentials: await usedOf(this.store.tenant(credentials, ctx.params.workspaceId)) };
});
