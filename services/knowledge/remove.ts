import type { Service } from "moleculer";
import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { ALIVE, markDeleted, sweepTombstones } from "../../service-kit/tombstone.ts";
import { sweepImportFiles } from "./imports/end-imports.ts";
import { sweepPending } from "./embedding-status.ts";
import { type BaseDoc, bases, type EntryDoc, entries, fileParts, imports, uploads } from "./model.ts";
import { aliveBase, type KnowledgeService, type Self } from "./service.ts";
import { sweepUploads } from "./imports/uploads.ts";

/** The base disappears at once. Its content is purged later. */
export const remove = handle<"knowledge.remove", Self>("knowledge.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const deleted = await this.store
    .tenant(bases, workspaceId)
    .updateOne({ id, ...ALIVE }, { $set: markDeleted(new Date()) });
  if (!deleted) throw notFound("knowledge base");
  this.sweeper.soon();
  return null;
});

/** The entry disappears at once. It is removed from the index later. */
export const removeEntry = handle<"knowledge.entries.remove", Self>("knowledge.entries.remove", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, entryId: id } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const all = this.store.tenant(entries, workspaceId);
  const change = { $set: markDeleted(new Date()), $unset: { pendingSince: true as const } };
  if (!(await all.updateOne({ id, knowledgeBaseId, ...ALIVE }, change))) throw notFound("entry");
  this.sweeper.soon();
  return null;
});

/** Purges all knowledge bases of a workspace that is being deleted. */
export const purge = handle<"knowledge.purge", Self>("knowledge.purge", async function (ctx) {
  const { workspaceId } = ctx.params;
  for (const spec of [bases, entries, imports, uploads, fileParts] as const) {
    await removeAll(this.store.tenant(spec as typeof fileParts, workspaceId), {});
  }
  await this.search.tenant("knowledge", workspaceId).removeAll();
  return null;
});

/** Purges leftovers of deleted bases and entries. */
export async function sweepKnowledge(this: Service & KnowledgeService, now: Date): Promise<void> {
  const { store, search, logger } = this;
  const purgeBase = async ({ id: knowledgeBaseId, workspaceId }: BaseDoc) => {
    for (const spec of [entries, imports, uploads, fileParts] as const) {
      await removeAll(store.tenant(spec as typeof fileParts, workspaceId), { knowledgeBaseId });
    }
    await search.tenant("knowledge", workspaceId).removeAll({ base: knowledgeBaseId });
  };
  const purgeEntry = ({ id, workspaceId }: EntryDoc) =>
    search.tenant("knowledge", workspaceId).removeAll({ entry: id });
  await sweepTombstones(store.acrossTenants(bases), now, purgeBase, logger);
  await sweepTombstones(store.acrossTenants(entries), now, purgeEntry, logger);
  await sweepUploads(this, now);
  await sweepImportFiles(this, now);
  await sweepPending(this, now);
}
