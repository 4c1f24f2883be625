import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { addEntry, ensureEntryRoom } from "./add-entry.ts";
import { entries, presentEntry } from "./model.ts";
import { aliveBase, type Self } from "./service.ts";

export const createEntry = handle<"knowledge.entries.create", Self>("knowledge.entries.create", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, content, metadata } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  await ensureEntryRoom(this, workspaceId, knowledgeBaseId);
  const entry = { id: newId(ctx), workspaceId, knowledgeBaseId, content, metadata, createdAt: new Date() };
  const added = await addEntry(this, entry);
  // If the base was deleted meanwhile, its second purge, which runs after this check, removes the entry.
  await aliveBase(this, workspaceId, knowledgeBaseId);
  this.embeddings.soon();
  return presentEntry(added);
});

export const listEntries = handle<"knowledge.entries.list", WithStore>("knowledge.entries.list", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, limit, cursor = null } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const all = this.store.tenant(entries, workspaceId);
  const filter = { knowledgeBaseId, ...ALIVE };
  const page = await boundedPage(
    (count, after) => all.find(filter, { sort: { id: -1 }, limit: count, after }),
    limit,
    cursor,
  );
  return { items: page.items.map(presentEntry), next: page.next };
});

export const getEntry = handle<"knowledge.entries.get", WithStore>("knowledge.entries.get", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, entryId: id } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const entry = await this.store.tenant(entries, workspaceId).get({ id, knowledgeBaseId, ...ALIVE });
  if (!entry) throw notFound("entry");
  return presentEntry(entry);
});
