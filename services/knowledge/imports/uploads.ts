import { v7 as uuid } from "uuid";
import { config } from "../../../config.ts";
import { handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { ensureLimit } from "../../../service-kit/limit.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import { isNotMatched, isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { ensureImportRoom, kindOf } from "./accept-file.ts";
import { partOf } from "./file-parts.ts";
import { fileParts, imports, type UploadDoc, uploads } from "../model.ts";
import { aliveBase, type Self } from "../service.ts";

/** Requests with a file end much sooner. An upload that no request continues is removed after this time. */
const EXPIRES_MS = 10 * 60_000;
const MAX_PER_SWEEP = 100;

const expiry = (now: Date) => new Date(now.getTime() + EXPIRES_MS);
const gone = () => new AppError("conflict", { detail: "The upload no longer exists. Start it again." });

export const beginUpload = handle<"knowledge.uploads.begin", Self>("knowledge.uploads.begin", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, name, contentType } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  kindOf(name, contentType);
  const now = new Date();
  const all = this.store.tenant(uploads, workspaceId);
  await ensureLimit("knowledge_uploads", workspaceId, all, { expiresAt: { $gt: now } });
  await ensureImportRoom(this, workspaceId);
  const doc = { id: uuid(), workspaceId, knowledgeBaseId, parts: 0, bytes: 0, taken: false, expiresAt: expiry(now) };
  await all.insert(doc);
  return { uploadId: doc.id };
});

export const appendPart = handle<"knowledge.uploads.append", Self>("knowledge.uploads.append", async function (ctx) {
  const { workspaceId, uploadId: id, place, base64 } = ctx.params;
  const all = this.store.tenant(uploads, workspaceId);
  const doc = await all.get({ id });
  if (!doc) throw gone();
  const size = Buffer.byteLength(base64, "base64");
  const max = config().MAX_UPLOAD_BYTES;
  if (doc.bytes + size > max) throw new AppError("payload_too_large", { detail: `A file is limited to ${max} bytes.` });
  const now = new Date();
  const parts = this.store.tenant(fileParts, workspaceId);
  const part = partOf({ ...doc, fileId: id }, place, base64);
  try {
    // The part is written first: where the writes are not atomic, every counted part exists.
    await this.store.write([
      parts.ops.insert(part),
      all.ops.updateOne(
        { id, taken: false, parts: place, expiresAt: { $gt: now } },
        { $inc: { parts: 1, bytes: size }, $set: { expiresAt: expiry(now) } },
        { required: true },
      ),
    ]);
  } catch (error) {
    if (isUniqueConflict(error)) throw gone();
    if (!isNotMatched(error)) throw error;
    // The upload was taken or removed meanwhile, so this part must be removed here.
    await parts.remove({ id: part.id });
    throw gone();
  }
  return null;
});

/**
 * Takes an upload for an import. It accepts no further parts, and no other import can take it.
 * @throws {AppError} conflict when the upload was taken already
 */
export async function takeUpload(
  { store }: WithStore,
  { workspaceId, knowledgeBaseId, id }: Pick<UploadDoc, "workspaceId" | "knowledgeBaseId" | "id">,
): Promise<UploadDoc> {
  const now = new Date();
  const open = { id, knowledgeBaseId, taken: false, expiresAt: { $gt: now } };
  const change = { $set: { taken: true, expiresAt: expiry(now) } };
  const doc = await store.tenant(uploads, workspaceId).updateOne(open, change);
  if (!doc) throw gone();
  return doc;
}

/** Removes an upload with its parts, unless it has changed or an import has taken it. */
async function drop({ store }: WithStore, { id, workspaceId, taken, expiresAt }: UploadDoc, now: Date): Promise<void> {
  const all = store.tenant(uploads, workspaceId);
  // From now on no import can take it. If this node dies now, the upload expires again.
  if (!(await all.updateOne({ id, taken, expiresAt }, { $set: { taken: true, expiresAt: expiry(now) } }))) return;
  const used = taken && (await store.tenant(imports, workspaceId).get({ fileId: id }));
  if (!used) await removeAll(store.tenant(fileParts, workspaceId), { fileId: id });
  await all.remove({ id });
}

export const discardUpload = handle<"knowledge.uploads.discard", Self>(
  "knowledge.uploads.discard",
  async function (ctx) {
    const { workspaceId, uploadId: id } = ctx.params;
    const doc = await this.store.tenant(uploads, workspaceId).get({ id });
    if (doc && !doc.taken) await drop(this, doc, new Date());
    return null;
  },
);

/** Removes uploads that a dead gateway or node left behind. */
export async function sweepUploads({ store }: WithStore, now: Date): Promise<void> {
  const due = { expiresAt: { $lte: now } };
  const { items } = await store.acrossTenants(uploads).find(due, { sort: { expiresAt: 1 }, limit: MAX_PER_SWEEP });
  for (const doc of items) await drop({ store }, doc, now);
}
