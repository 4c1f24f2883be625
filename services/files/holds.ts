import { handle } from "../../contracts/call.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { fileHolds, files } from "./model.ts";

const CHECK_MS = 60 * 60_000;
/** A file without holds is kept for this long, so that there is time to use it. */
export const GRACE_MS = 24 * 60 * 60_000;
const PAGE = 500;

const later = (ms: number) => new Date(Date.now() + ms);

/** Records that an owner holds a file. Repeating it changes nothing. */
export async function holdOf({ store }: WithStore, workspaceId: string, fileId: string, owner: string): Promise<void> {
  const hold = { id: `${owner}/${fileId}`, workspaceId, fileId, owner, checkAt: later(CHECK_MS) };
  await store
    .tenant(fileHolds, workspaceId)
    .insert(hold)
    .catch((error: unknown) => {
      if (!isUniqueConflict(error)) throw error;
    });
}

/**
 * The retention time is written before the holds. A sweep that has just found the file without holds then notices that
 * the time has changed, and keeps the file.
 */
export const hold = handle<"files.hold", WithStore>("files.hold", async function (ctx) {
  const { workspaceId, ids, owner } = ctx.params;
  const all = this.store.tenant(files, workspaceId);
  const held: string[] = [];
  for (const id of new Set(ids)) {
    if (!(await all.updateOne({ id, state: "stored" }, { $set: { keepUntil: later(GRACE_MS) } }))) continue;
    await holdOf(this, workspaceId, id, owner);
    held.push(id);
  }
  return { held };
});

/** Restarts the files' retention before the holds are removed. So an interruption leaves no file without both. */
async function releaseOwners(
  { store }: WithStore,
  workspaceId: string,
  owners: string[],
  except: string[],
): Promise<void> {
  const filter = { owner: { $in: owners }, ...(except.length > 0 && { fileId: { $nin: except } }) };
  const holds = store.tenant(fileHolds, workspaceId);
  for (let after: string | null = null; ;) {
    const page = await holds.find(filter, { limit: PAGE, after });
    const ids = page.items.map(({ fileId }) => fileId);
    if (ids.length === 0) return;
    const change = { $set: { keepUntil: later(GRACE_MS) } };
    await store.tenant(files, workspaceId).updateMany({ id: { $in: ids }, state: "stored" }, change);
    after = page.next;
    if (!after) break;
  }
  await removeAll(holds, filter);
}

export const release = handle<"files.release", WithStore>("files.release", async function (ctx) {
  const { workspaceId, owners, except = [] } = ctx.params;
  await releaseOwners(this, workspaceId, owners, except);
  return null;
});
