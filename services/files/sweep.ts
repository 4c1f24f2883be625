import type { Service } from "moleculer";
import { call } from "../../contracts/call.ts";
import type { WithFiles } from "../../service-kit/files.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { type FileDoc, fileHolds, files, fileUsage, type HoldDoc } from "./model.ts";

export type FilesService = Service & WithStore & WithFiles & WithSweep;

const MAX_PER_SWEEP = 500;
/** How often the sweep checks that the owner of a hold exists. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;
/** An interrupted removal continues after this time. */
const REMOVAL_MS = 10 * 60_000;

/** Removes the object of a doomed file and then the document, and subtracts its bytes from the usage. */
async function finishRemoval({ store, files: { vault } }: FilesService, doc: FileDoc): Promise<void> {
  const { id, workspaceId, size = 0 } = doc;
  await (await vault()).objects.remove(`${workspaceId}/${id}`);
  const removed = await store.tenant(files, workspaceId).remove({ id, state: "doomed" });
  if (removed > 0 && size > 0)
    await store.tenant(fileUsage, workspaceId).updateOne({ id: workspaceId }, { $inc: { bytes: -size } });
}

/**
 * Removes a file, unless it has changed since it was read. From the first write on, callers cannot find it, and its
 * content may be stored again under another id.
 */
export async function removeFile(self: FilesService, doc: FileDoc, now = new Date()): Promise<boolean> {
  const { id, workspaceId, state, keepUntil } = doc;
  const unchanged = { id, state, keepUntil: keepUntil ?? null };
  const change = {
    $set: { state: "doomed" as const, keepUntil: new Date(now.getTime() + REMOVAL_MS) },
    $unset: { content: true as const, kind: true as const },
  };
  const doomed = await self.store.tenant(files, workspaceId).updateOne(unchanged, change);
  if (!doomed) return false;
  await finishRemoval(self, doomed);
  return true;
}

/** Removes a file, or continues an interrupted removal. */
export async function eraseFile(self: FilesService, doc: FileDoc, now?: Date): Promise<void> {
  if (doc.state === "doomed") await finishRemoval(self, doc);
  else await removeFile(self, doc, now);
}

/** Removes expired files without holds, and leftovers of interrupted uploads and removals. */
async function sweepDue(self: FilesService, now: Date): Promise<void> {
  const due = { keepUntil: { $lte: now } };
  const found = await self.store.acrossTenants(files).find(due, { sort: { keepUntil: 1 }, limit: MAX_PER_SWEEP });
  for (const doc of found.items) {
    const { id, workspaceId, state, keepUntil } = doc;
    try {
      const held =
        state === "stored" && (await self.store.tenant(fileHolds, workspaceId).count({ fileId: id }, { limit: 1 })) > 0;
      // The file is checked again when its last hold ends.
      if (held)
        await self.store
          .tenant(files, workspaceId)
          .updateOne({ id, state, keepUntil }, { $unset: { keepUntil: true } });
      else await eraseFile(self, doc, now);
    } catch (error) {
      self.logger.warn(`The file ${id} could not be removed; a later sweep tries again.`, error);
      const again = new Date(now.getTime() + REMOVAL_MS);
      await self.store.tenant(files, workspaceId).updateOne({ id, keepUntil }, { $set: { keepUntil: again } });
    }
  }
}

/** The services that know which owners exist. */
const OWNERS = {
  execution: "executions.existing",
  workflow: "workflows.existing",
  sample: "workflows.samples.existing",
} as const;

const kindOf = ({ owner }: HoldDoc) => owner.split(":", 1)[0] as keyof typeof OWNERS;
const idOf = ({ owner }: HoldDoc) => owner.slice(owner.indexOf(":") + 1);

/** Removes the holds of owners that were removed, or that were never stored because their creation was interrupted. */
async function sweepHolds(self: FilesService, now: Date): Promise<void> {
  const { store, broker } = self;
  const due = { checkAt: { $lte: now } };
  const found = await store.acrossTenants(fileHolds).find(due, { sort: { checkAt: 1 }, limit: MAX_PER_SWEEP });
  const groups = Map.groupBy(found.items, hold => `${hold.workspaceId} ${kindOf(hold)}`);
  for (const holds of groups.values()) {
    const [first] = holds;
    if (!first) continue;
    const { workspaceId } = first;
    const action = OWNERS[kindOf(first)];
    const { existing } = await call(broker, action, { workspaceId, ids: [...new Set(holds.map(idOf))] });
    const alive = new Set(existing);
    const all = store.tenant(fileHolds, workspaceId);
    for (const hold of holds) {
      const { id, owner } = hold;
      if (!alive.has(idOf(hold))) await call(broker, "files.release", { workspaceId, owners: [owner] });
      else await all.updateOne({ id }, { $set: { checkAt: new Date(now.getTime() + CHECK_EVERY_MS) } });
    }
  }
}

export async function sweepFiles(this: FilesService, now: Date): Promise<void> {
  await sweepDue(this, now);
  await sweepHolds(this, now);
}
