import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { ensureLimit, usedOf } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { bases, entries, imports, presentBase } from "./model.ts";
import { aliveBase } from "./service.ts";

export const create = handle<"knowledge.create", WithStore>("knowledge.create", async function (ctx) {
  const { workspaceId, name, description } = ctx.params;
  const all = this.store.tenant(bases, workspaceId);
  await ensureLimit("knowledge_bases", workspaceId, all, { ...ALIVE });
  const now = new Date();
  const base = { id: newId(ctx), workspaceId, name, description, createdAt: now, updatedAt: now };
  await all.insert(base);
  return presentBase(base);
});

export const list = handle<"knowledge.list", WithStore>("knowledge.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const found = await this.store.tenant(bases, workspaceId).find({ ...ALIVE }, { sort: { id: -1 }, limit, after });
  const ids = found.items.map(({ id }) => id);
  const all = this.store.tenant(entries, workspaceId);
  const theirs = { knowledgeBaseId: { $in: ids }, ...ALIVE };
  const [counts, bytes] = await Promise.all([
    all.tally(theirs, "knowledgeBaseId"),
    all.tally(theirs, "knowledgeBaseId", "bytes"),
  ]);
  const items = found.items.map(base => {
    const sizes = { entryCount: counts[base.id] ?? 0, entryBytes: bytes[base.id] ?? 0 };
    return { ...presentBase(base), ...sizes };
  });
  return { items, next: found.next };
});

export const get = handle<"knowledge.get", WithStore>("knowledge.get", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  return presentBase(await aliveBase(this, workspaceId, id));
});

export const update = handle<"knowledge.update", WithStore>("knowledge.update", async function (ctx) {
  const { workspaceId, id, name, description } = ctx.params;
  const given = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
  if (Object.keys(given).length === 0) return presentBase(await aliveBase(this, workspaceId, id));
  const change = { $set: { ...given, updatedAt: new Date() } };
  const base = await this.store.tenant(bases, workspaceId).updateOne({ id, ...ALIVE }, change);
  if (!base) throw notFound("knowledge base");
  return presentBase(base);
});

export const usage = handle<"knowledge.usage", WithStore>("knowledge.usage", async function (ctx) {
  const { workspaceId } = ctx.params;
  return {
    knowledge_bases: await usedOf(this.store.tenant(bases, workspaceId), { ...ALIVE }),
    knowledge_entries: await usedOf(this.store.tenant(entries, workspaceId)),
    knowledge_imports: await usedOf(this.store.tenant(imports, workspaceId), { dueAt: { $exists: true } }),
  };
});
