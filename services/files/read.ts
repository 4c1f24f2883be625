import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { fileHolds, files, presentFile, type PublishedFile } from "./model.ts";
import { type FilesService, removeFile } from "./sweep.ts";

async function stored({ store }: WithStore, workspaceId: string, id: string, kind?: "file" | "value") {
  const doc = await store.tenant(files, workspaceId).get({ id, state: "stored", ...(kind && { kind }) });
  if (!doc) throw notFound("file");
  return doc as PublishedFile;
}

const located = ({ id, name, type, size, sha256, key }: PublishedFile) => ({ id, name, type, size, sha256, key });

export const locate = handle<"files.locate", WithStore>("files.locate", async function (ctx) {
  const { workspaceId, id, kind } = ctx.params;
  return located(await stored(this, workspaceId, id, kind));
});

export const open = handle<"files.open", WithStore>("files.open", async function (ctx) {
  return located(await stored(this, ctx.params.workspaceId, ctx.params.id));
});

export const list = handle<"files.list", WithStore>("files.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const shown = { kind: "file" as const };
  const found = await this.store.tenant(files, workspaceId).find(shown, { sort: { id: -1 }, limit, after });
  return { items: found.items.map(doc => presentFile(doc)), next: found.next };
});

/** Removes a file even if runs refer to it. Steps of these runs that read it then fail. */
export const remove = handle<"files.remove", FilesService>("files.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const MAX_TRIES = 3;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!(await removeFile(this, await stored(this, workspaceId, id, "file")))) continue;
    await this.store.tenant(fileHolds, workspaceId).remove({ fileId: id });
    break;
  }
  return null;
});
