import { handle } from "../../../contracts/call.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { ensureImportRoom } from "./accept-file.ts";
import { DONE } from "../due-work.ts";
import { fileParts, type ImportDoc, imports, presentImport } from "../model.ts";
import { aliveBase, type Self } from "../service.ts";

/** How long the file of a failed or cancelled import is kept. */
const KEEP_MS = 7 * 24 * 60 * 60_000;
/** A sweep may be about to remove a file that expires soon, and the clocks of nodes differ. */
const MARGIN_MS = 60_000;
const MAX_PER_SWEEP = 100;

export const fileKeptUntil = (now: Date) => new Date(now.getTime() + KEEP_MS);

async function importOf({ store }: WithStore, workspaceId: string, knowledgeBaseId: string, id: string) {
  const doc = await store.tenant(imports, workspaceId).get({ id, knowledgeBaseId });
  if (!doc) throw notFound("import");
  return doc;
}

/**
 * One write cancels an unfinished import. It also ends the hold of the node that works on it. That node stops after its
 * current batch of entries.
 */
export const cancelImport = handle<"knowledge.imports.cancel", Self>("knowledge.imports.cancel", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, importId: id } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const found = await importOf(this, workspaceId, knowledgeBaseId, id);
  const now = new Date();
  const change = {
    $set: { status: "cancelled" as const, finishedAt: now, fileUntil: fileKeptUntil(now) },
    $unset: DONE,
  };
  const unfinished = { id, status: { $in: ["pending" as const, "running" as const] } };
  const cancelled = await this.store.tenant(imports, workspaceId).updateOne(unfinished, change);
  // The import ended before this write.
  if (!cancelled) return presentImport((await this.store.tenant(imports, workspaceId).get({ id })) ?? found);
  this.news.event(workspaceId, "import.progress", presentImport(cancelled));
  return presentImport(cancelled);
});

/** The ids of entries are derived from the import, so existing entries are not created again. */
export const retryImport = handle<"knowledge.imports.retry", Self>("knowledge.imports.retry", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, importId: id } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  await importOf(this, workspaceId, knowledgeBaseId, id);
  await ensureImportRoom(this, workspaceId);
  const now = new Date();
  const kept = { id, fileUntil: { $gt: new Date(now.getTime() + MARGIN_MS) } };
  const again = { status: "pending" as const, error: null, finishedAt: null, dueAt: now };
  const change = { $set: again, $unset: { fileUntil: true as const }, $inc: { retries: 1 } };
  const begun = await this.store.tenant(imports, workspaceId).updateOne(kept, change);
  if (!begun) throw new AppError("import_not_kept");
  this.importing.soon();
  this.news.event(workspaceId, "import.progress", presentImport(begun));
  return presentImport(begun);
});

/**
 * Removes the files of imports that can no longer be retried. The file is removed first, so that none is left behind.
 */
export async function sweepImportFiles({ store }: WithStore, now: Date): Promise<void> {
  const due = { fileUntil: { $lte: now } };
  const found = await store.acrossTenants(imports).find(due, { sort: { fileUntil: 1 }, limit: MAX_PER_SWEEP });
  for (const { id, workspaceId, fileId, fileUntil } of found.items as (ImportDoc & { fileUntil: Date })[]) {
    await removeAll(store.tenant(fileParts, workspaceId), { fileId });
    await store.tenant(imports, workspaceId).updateOne({ id, fileUntil }, { $unset: { fileUntil: true } });
  }
}
