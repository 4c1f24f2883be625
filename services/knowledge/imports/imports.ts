import type { ParamsOf } from "../../../contracts/actions.ts";
import { callerOf, handle } from "../../../contracts/call.ts";
import { notFound } from "../../../contracts/errors.ts";
import { newId } from "../../../service-kit/new-id.ts";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { ensureImportRoom, invalidField, kindOf } from "./accept-file.ts";
import { partsOf } from "./file-parts.ts";
import { copyStored } from "./copy-stored.ts";
import { fileParts, type ImportDoc, imports, presentImport, uploads } from "../model.ts";
import { aliveBase, type Self } from "../service.ts";
import { takeUpload } from "./uploads.ts";

type ImportParams = ParamsOf<"knowledge.imports.create">;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function ignoreConflict(error: unknown): void {
  if (!isUniqueConflict(error)) throw error;
}

function base64Of({ content, contentBase64 }: { content?: string | undefined; contentBase64?: string | undefined }) {
  if ((content === undefined) === (contentBase64 === undefined))
    throw invalidField("content", "Give either `content` or `contentBase64`, not both");
  if (content !== undefined) return Buffer.from(content).toString("base64");
  const packed = contentBase64!.replace(/\s+/g, "");
  if (!BASE64.test(packed)) throw invalidField("contentBase64", "Expected base64");
  return packed;
}

/** The name and the type of a file, from the request or else from the stored file. */
async function namedBy(self: Self, params: ImportParams): Promise<ImportParams & { name: string }> {
  const { workspaceId, fileId, name, content, contentBase64 } = params;
  if (fileId === undefined && name === undefined) throw invalidField("name", "Required");
  if (fileId === undefined) return { ...params, name: name ?? "" };
  if (content !== undefined || contentBase64 !== undefined || params.upload !== undefined)
    throw invalidField("fileId", "Give either a stored file or a content, not both");
  const stored = await self.files.locate(workspaceId, fileId, "file");
  return { ...params, name: name ?? stored.name, contentType: params.contentType ?? stored.type };
}

/** The file of an import. It is sent with the request, or was uploaded before. */
async function fileOf(self: Self, params: ImportParams, upload: string | undefined, id: string) {
  const { workspaceId, id: knowledgeBaseId } = params;
  if (upload === undefined) {
    const base64 = base64Of(params);
    if (base64 === "") throw invalidField("content", "Must not be empty");
    const bytes = Buffer.byteLength(base64, "base64");
    return { fileId: id, bytes, parts: partsOf({ workspaceId, knowledgeBaseId, fileId: id }, base64) };
  }
  const { bytes } = await takeUpload(self, { workspaceId, knowledgeBaseId, id: upload });
  if (bytes === 0) {
    // An upload that was taken counts toward the limit of uploads until it expires, and no other code removes it.
    await self.store.tenant(uploads, workspaceId).remove({ id: upload });
    throw invalidField("", "The file is empty");
  }
  return { fileId: upload, bytes, parts: [] };
}

export const createImport = handle<"knowledge.imports.create", Self>("knowledge.imports.create", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const given = await namedBy(this, ctx.params);
  const { name, contentType, metadata, content, fileId: stored } = given;
  const kind = kindOf(name, contentType);
  await ensureImportRoom(this, workspaceId);
  const id = newId(ctx);
  const upload = stored === undefined ? given.upload : await copyStored(this, ctx, { ...given, fileId: stored });
  const { fileId, bytes, parts } = await fileOf(this, given, upload, id);
  // Text in JSON is already UTF-8, whatever the charset of the original file.
  const charset = content === undefined ? kind.charset : undefined;
  const now = new Date();
  const doc: ImportDoc = {
    ...{ id, workspaceId, knowledgeBaseId, name, contentType: kind.type, ...(charset && { charset }), metadata },
    ...{ status: "pending", entriesTotal: null, entriesDone: 0, fileId, bytes, error: null },
    ...{ createdBy: callerOf(ctx).userId, createdAt: now, finishedAt: null, dueAt: now },
  };
  // The file is written first, because an import without its file could not begin.
  const all = this.store.tenant(fileParts, workspaceId);
  const writes = [...parts.map(part => all.ops.insert(part)), this.store.tenant(imports, workspaceId).ops.insert(doc)];
  try {
    await this.store.write(writes);
    if (upload !== undefined) await this.store.tenant(uploads, workspaceId).remove({ id: upload });
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    // An earlier try was interrupted between the writes. The sweep removes the file that this try uploaded again.
    for (const write of writes) await this.store.write([write]).catch(ignoreConflict);
  }
  this.importing.soon();
  this.news.event(workspaceId, "import.progress", presentImport(doc));
  return presentImport(doc);
});

export const listImports = handle<"knowledge.imports.list", WithStore>("knowledge.imports.list", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, limit, cursor: after = null } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const all = this.store.tenant(imports, workspaceId);
  const found = await all.find({ knowledgeBaseId }, { sort: { id: -1 }, limit, after });
  return { items: found.items.map(presentImport), next: found.next };
});

export const getImport = handle<"knowledge.imports.get", WithStore>("knowledge.imports.get", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, importId: id } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const doc = await this.store.tenant(imports, workspaceId).get({ id, knowledgeBaseId });
  if (!doc) throw notFound("import");
  return presentImport(doc);
});
