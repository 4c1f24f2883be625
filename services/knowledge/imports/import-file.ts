import { DocumentError, type Section } from "../../../adapters/documents/index.ts";
import { errorCode } from "../../../contracts/errors.ts";
import { MAX_CONTENT } from "../../../contracts/entities/knowledge.ts";
import { backoffMs } from "../../../core/backoff.ts";
import { piecesOf } from "../../../core/knowledge/chunks.ts";
import { derivedId } from "../../../service-kit/derived-id.ts";
import { markForNotice } from "../../../service-kit/outbox.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import { ALIVE } from "../../../service-kit/tombstone.ts";
import { addEntry, ensureEntryRoom } from "../add-entry.ts";
import { DONE, dueAgainAfter } from "../due-work.ts";
import { fileKeptUntil } from "./end-imports.ts";
import { readFile } from "./file-parts.ts";
import { bases, fileParts, type ImportDoc, imports, presentImport } from "../model.ts";
import type { Self } from "../service.ts";

/** The number of entries in one batch. Progress is reported after each batch. */
const BATCH = 10;
const MAX_TRIES = 8;
const TRY_AGAIN = { firstMs: 4_000, mostMs: Infinity };

interface Piece {
  content: string;
  metadata: Record<string, unknown>;
}

/** Sections as entries, with their origin. The caller's metadata takes precedence. */
function entriesOf({ name, metadata }: ImportDoc, sections: readonly Section[]): Piece[] {
  return sections.flatMap(({ text, page, title }) => {
    const contents = piecesOf(text, MAX_CONTENT);
    return contents.map((content, at) => {
      const from = { source: name, ...(title && { title }), ...(page && { page }) };
      const part = contents.length > 1 ? { part: at + 1 } : {};
      return { content, metadata: { ...from, ...part, ...metadata } };
    });
  });
}

/** Ends an import, unless another node has taken it meanwhile, and notifies the user who began it. */
async function end(
  self: Self,
  { id, workspaceId, holder, fileId }: ImportDoc,
  error: ImportDoc["error"],
): Promise<void> {
  const now = new Date();
  const status = error ? ("failed" as const) : ("completed" as const);
  const kept = error && { fileUntil: fileKeptUntil(now) };
  const change = { $set: { status, error, finishedAt: now, ...kept, ...markForNotice(now) }, $unset: DONE };
  const ended = await self.store.tenant(imports, workspaceId).updateOne({ id, holder: holder ?? null }, change);
  if (!ended) return;
  self.news.event(workspaceId, "import.progress", presentImport(ended));
  // The file of a failed import is kept for a retry.
  if (!error) await removeAll(self.store.tenant(fileParts, workspaceId), { fileId });
  self.outbox.soon();
}

/** This is a separate function so that the file can be garbage-collected when it returns. */
async function readPieces(self: Self, doc: ImportDoc): Promise<Piece[]> {
  const { workspaceId, contentType: type, charset } = doc;
  const bytes = await readFile(self, doc);
  return entriesOf(doc, await self.documents.read({ type, charset, bytes }, workspaceId));
}

async function carryOut(self: Self, doc: ImportDoc): Promise<void> {
  const { id, workspaceId, knowledgeBaseId, holder, createdAt } = doc;
  const all = self.store.tenant(imports, workspaceId);
  const pieces = await readPieces(self, doc);
  await ensureEntryRoom(self, workspaceId, knowledgeBaseId, pieces.length - doc.entriesDone);
  const mine = { id, holder: holder ?? null };
  const status = "running" as const;
  const begun = await all.updateOne(mine, { $set: { status, entriesTotal: pieces.length } });
  if (!begun) return;
  self.news.event(workspaceId, "import.progress", presentImport(begun));
  for (let from = 0; from < pieces.length; from += BATCH) {
    // Deleting a base also deletes its imports.
    if (!(await self.store.tenant(bases, workspaceId).get({ id: knowledgeBaseId, ...ALIVE }))) return;
    const some = pieces.slice(from, from + BATCH);
    await Promise.all(
      some.map((piece, at) => {
        // The ids follow the order of the file, so that lists show the entries in that order.
        const entryId = derivedId(new Date(createdAt.getTime() + from + at), `${id}:${from + at}`);
        return addEntry(self, { id: entryId, workspaceId, knowledgeBaseId, ...piece, createdAt });
      }),
    );
    self.embeddings.soon();
    const done = await all.updateOne(mine, { $set: { entriesDone: from + some.length } });
    if (!done) return;
    self.news.event(workspaceId, "import.progress", presentImport(done));
  }
  await end(self, doc, null);
}

const GIVEN_UP = { code: "import_failed", message: "The import failed after several attempts." };

/** The code of an error that a retry would meet again; undefined for other errors. */
function lastingCode(error: unknown): string | undefined {
  if (error instanceof DocumentError) return error.code === "file_reader_busy" ? undefined : error.code;
  return errorCode(error) === "limit_reached" ? "limit_reached" : undefined;
}

/**
 * Performs an import that this node holds. After a temporary failure, the import is due again later. A permanent
 * failure ends it.
 */
export async function importFile(self: Self, doc: ImportDoc): Promise<void> {
  const tries = doc.tries ?? 1;
  if (tries > MAX_TRIES) return end(self, doc, GIVEN_UP);
  try {
    await carryOut(self, doc);
  } catch (error) {
    const code = lastingCode(error);
    if (code) return end(self, doc, { code, message: (error as Error).message });
    self.warn("An import failed; Weft tries again.", error);
    const change = { $set: dueAgainAfter(new Date(), backoffMs(TRY_AGAIN, tries)) };
    const mine = { id: doc.id, holder: doc.holder ?? null };
    await self.store.tenant(imports, doc.workspaceId).updateOne(mine, change);
  }
}
