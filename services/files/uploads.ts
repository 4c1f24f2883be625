import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";
import { LIMITS } from "../../config.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import type { StoredFile } from "../../contracts/entities/file.ts";
import { AppError } from "../../contracts/errors.ts";
import { mediaTypeOf } from "../../service-kit/files.ts";
import { ensureQuota, notifyQuotaLevel } from "../../service-kit/quota-level.ts";
import { quotasOf } from "../../service-kit/quotas.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { GRACE_MS, holdOf } from "./holds.ts";
import { type FileDoc, files, fileUsage, presentFile } from "./model.ts";
import { removeFile, type FilesService } from "./sweep.ts";

/** Uploads take less time than this. */
const UPLOAD_MS = 2 * 60 * 60_000;

/** A run that is being started holds its files sooner than this. */
const BRIEF_MS = 15 * 60_000;

const MAX_TRIES = 3;
const after = (ms: number) => new Date(Date.now() + ms);
const gone = () => new AppError("conflict", { detail: "The upload no longer exists. Start it again." });

/** @throws {AppError} limit_reached */
async function ensureBytes(self: FilesService, workspaceId: string, wanted: number): Promise<void> {
  const used = (await self.store.tenant(fileUsage, workspaceId).get({ id: workspaceId }))?.bytes ?? 0;
  const { file_bytes: max } = await quotasOf(self.broker, workspaceId);
  const fits = used + wanted <= max;
  notifyQuotaLevel(self, workspaceId, "file_bytes", fits ? used + wanted : used, max);
  if (!fits) throw new AppError("limit_reached", { detail: `The limit is ${max} ${LIMITS.file_bytes.what}.` });
}

async function reserveRoom(self: FilesService, workspaceId: string): Promise<string> {
  const all = self.store.tenant(files, workspaceId);
  await ensureQuota(self, "files", workspaceId, all);
  await ensureBytes(self, workspaceId, 1);
  const id = uuid();
  await all.insert({ id, workspaceId, state: "incoming", keepUntil: after(UPLOAD_MS), createdAt: new Date() });
  return id;
}

export const reserve = handle<"files.reserve", FilesService>("files.reserve", async function (ctx) {
  return { id: await reserveRoom(this, ctx.params.workspaceId) };
});

export const begin = handle<"files.begin", FilesService>("files.begin", async function (ctx) {
  return { uploadId: await reserveRoom(this, ctx.params.workspaceId) };
});

interface StoredBytes {
  workspaceId: string;
  id: string;
  size: number;
  sha256: string;
  key: string;
}

/** Records that the bytes of an upload are stored, and counts them. */
async function recordBytes(self: FilesService, { workspaceId, id, size, sha256, key }: StoredBytes): Promise<void> {
  const all = self.store.tenant(files, workspaceId);
  const usage = self.store.tenant(fileUsage, workspaceId);
  await ensureBytes(self, workspaceId, size);
  await usage.insert({ id: workspaceId, workspaceId, bytes: 0 }).catch((error: unknown) => {
    if (!isUniqueConflict(error)) throw error;
  });
  const change = { state: "uploaded" as const, size, sha256, key, keepUntil: after(UPLOAD_MS) };
  try {
    await self.store.write([
      all.ops.updateOne({ id, state: "incoming" }, { $set: change }, { required: true }),
      usage.ops.updateOne({ id: workspaceId }, { $inc: { bytes: size } }),
    ]);
  } catch (error) {
    throw isNotMatched(error) ? gone() : error;
  }
}

export const uploaded = handle<"files.uploaded", FilesService>("files.uploaded", async function (ctx) {
  await recordBytes(this, ctx.params);
  return null;
});

interface About {
  name: string;
  type: string;
  kind: "file" | "value";
  createdBy: string | null;
  owner?: string | undefined;
  brief?: boolean | undefined;
}

const contentOf = ({ sha256 }: FileDoc, { kind, name, type }: About) =>
  createHash("sha256")
    .update(JSON.stringify([sha256, kind, name, type]))
    .digest("base64url");

/**
 * Publishes an upload. If a file with the same content and name exists, returns that one and restarts its retention. A
 * file that is being removed has released its content, so the next try publishes the upload.
 * @throws {AppError} conflict
 */
async function publish(self: FilesService, workspaceId: string, id: string, about: About): Promise<StoredFile> {
  const { owner, brief, ...fields } = about;
  const all = self.store.tenant(files, workspaceId);
  const doc = await all.get({ id });
  if (doc?.state === "stored") return presentFile(doc);
  if (doc?.state !== "uploaded") throw gone();
  const content = contentOf(doc, about);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const known = await all.updateOne({ content, state: "stored" }, { $set: { keepUntil: after(GRACE_MS) } });
    const keepUntil = after(brief ? BRIEF_MS : GRACE_MS);
    try {
      const file =
        known ??
        (await all.updateOne({ id, state: "uploaded" }, { $set: { ...fields, content, state: "stored", keepUntil } }));
      if (!file) throw gone();
      if (owner) await holdOf(self, workspaceId, file.id, owner);
      if (known) await removeFile(self, doc);
      return presentFile(file);
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw gone();
}

export const add = handle<"files.add", FilesService>("files.add", async function (ctx) {
  const { workspaceId, id, size, sha256, key, ...about } = ctx.params;
  await recordBytes(this, { workspaceId, id, size, sha256, key });
  return publish(this, workspaceId, id, about);
});

export const create = handle<"files.create", FilesService>("files.create", async function (ctx) {
  const { workspaceId, upload, name, contentType } = ctx.params;
  const createdBy = callerOf(ctx).userId;
  return publish(this, workspaceId, upload, { name, type: mediaTypeOf(contentType), kind: "file", createdBy });
});

/** Publishes an upload that another service requested. */
export const publishUpload = handle<"files.publish", FilesService>("files.publish", async function (ctx) {
  const { workspaceId, upload, name, contentType, maxBytes, ...about } = ctx.params;
  const doc = await this.store.tenant(files, workspaceId).get({ id: upload });
  if (maxBytes !== undefined && (doc?.size ?? 0) > maxBytes)
    throw new AppError("payload_too_large", { detail: `The file is larger than ${maxBytes} bytes.` });
  return publish(this, workspaceId, upload, { ...about, name, type: mediaTypeOf(contentType), kind: "file" });
});

/** Removes an upload that was not published. */
export const discard = handle<"files.discard", FilesService>("files.discard", async function (ctx) {
  const { workspaceId, uploadId: id } = ctx.params;
  const doc = await this.store.tenant(files, workspaceId).get({ id });
  if (doc?.state === "incoming" || doc?.state === "uploaded") await removeFile(this, doc);
  return null;
});
