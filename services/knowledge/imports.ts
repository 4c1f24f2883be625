import { callerOf, handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { IMPORT_TYPES } from "../../contracts/entities/knowledge.ts";
import { importTypeOf } from "../../core/knowledge/import-type.ts";
import { newId } from "../../mixins/new-id.ts";
import { isUniqueConflict } from "../../mixins/store-conflicts.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { files, type ImportDoc, imports } from "./model.ts";
import { presentImport } from "./present.ts";
import { aliveBase, type Self } from "./service.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const refuse = (path: string, message: string) => new AppError("validation_failed", { errors: [{ path, message }] });

function base64Of({ content, contentBase64 }: { content?: string | undefined; contentBase64?: string | undefined }) {
  if ((content === undefined) === (contentBase64 === undefined))
    throw refuse("content", "takes either content or contentBase64");
  if (content !== undefined) return Buffer.from(content).toString("base64");
  const packed = contentBase64!.replace(/\s+/g, "");
  if (!BASE64.test(packed)) throw refuse("contentBase64", "is no base64");
  return packed;
}

export const createImport = handle<"knowledge.imports.create", Self>("knowledge.imports.create", async function (ctx) {
  const { workspaceId, id: knowledgeBaseId, name, contentType, metadata, ...given } = ctx.params;
  await aliveBase(this, workspaceId, knowledgeBaseId);
  const base64 = base64Of(given);
  if (base64 === "") throw refuse("content", "is empty");
  const kind = importTypeOf(name, contentType);
  if (!kind) throw refuse("contentType", `expected one of ${IMPORT_TYPES.join(", ")}`);
  // What came as text in JSON is UTF-8 by now, whatever it was before.
  const charset = given.content === undefined ? kind.charset : undefined;
  const id = newId(ctx);
  const now = new Date();
  const doc: ImportDoc = {
    ...{ id, workspaceId, knowledgeBaseId, name, contentType: kind.type, ...(charset && { charset }), metadata },
    ...{ status: "pending", entriesTotal: null, entriesDone: 0, error: null },
    ...{ createdBy: callerOf(ctx).userId, createdAt: now, finishedAt: null, dueAt: now },
  };
  const file = { id, workspaceId, knowledgeBaseId, base64 };
  try {
    // The file first: without it an import could not begin.
    await this.store.write([
      this.store.tenant(files, workspaceId).ops.insert(file),
      this.store.tenant(imports, workspaceId).ops.insert(doc),
    ]);
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    // A try before this one was cut off between the two.
    await this.store.tenant(imports, workspaceId).insert(doc);
  }
  this.importing.soon();
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
