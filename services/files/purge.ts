import { AppError } from "../../contracts/errors.ts";
import { handle } from "../../contracts/call.ts";
import { repeatWithPauses } from "../../service-kit/repeat-with-pauses.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { fileHolds, files, fileUsage } from "./model.ts";
import { eraseFile, type FilesService } from "./sweep.ts";
import { usedOf } from "../../service-kit/limit.ts";

const BATCH = 100;
const TURN_MS = 20_000;

/**
 * Removes the files of a deleted workspace.
 * @throws {AppError} unavailable when there are more than one turn can remove
 */
export const purge = handle<"files.purge", FilesService>(
  "files.purge",
  async function (ctx) {
    const { workspaceId } = ctx.params;
    const all = this.store.tenant(files, workspaceId);
    const more = await repeatWithPauses(TURN_MS, async () => {
      const { items } = await all.find({}, { limit: BATCH });
      for (const doc of items) await eraseFile(this, doc);
      return items.length === BATCH;
    });
    if (more) throw new AppError("unavailable", { detail: "The purge is not finished. It continues later." });
    await removeAll(this.store.tenant(fileHolds, workspaceId), {});
    await removeAll(this.store.tenant(fileUsage, workspaceId), {});
    return null;
  },
  { timeout: 60_000 },
);

export const usage = handle<"files.usage", FilesService>("files.usage", async function (ctx) {
  const { workspaceId } = ctx.params;
  const used = await this.store.tenant(fileUsage, workspaceId).get({ id: workspaceId });
  return { files: await usedOf(this.store.tenant(files, workspaceId)), file_bytes: used?.bytes ?? 0 };
});

const PAGE = 1_000;
const TOTAL_MS = 4_000;

export const total = handle<"files.total", FilesService>("files.total", async function () {
  const all = this.store.acrossTenants(fileUsage);
  let bytes = 0;
  let after: string | null = null;
  const more = await repeatWithPauses(TOTAL_MS, async () => {
    const { items, next } = await all.find({}, { limit: PAGE, after });
    for (const used of items) bytes += used.bytes;
    after = next;
    return next !== null;
  });
  if (more)
    throw new AppError("unavailable", { detail: "The installation has too many workspaces to add up their files." });
  return { bytes: Math.max(0, bytes) };
});
