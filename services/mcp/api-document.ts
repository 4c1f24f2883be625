import { buffer } from "node:stream/consumers";
import { MAX_API_DOCUMENT } from "../../contracts/entities/api.ts";
import { AppError, type Fault } from "../../contracts/errors.ts";
import { apiDocuments } from "./model.ts";
import type { Self } from "./service.ts";

/** The place of an API's document, as a request states it. */
export interface GivenDocument {
  url?: string | undefined;
  document?: unknown;
  fileId?: string | undefined;
}

const refuse = (...errors: Fault[]) => new AppError("validation_failed", { errors });
const tooLarge = () =>
  new AppError("payload_too_large", { detail: `The document of an API is limited to ${MAX_API_DOCUMENT} bytes.` });

/**
 * The document in a request, as an address or as text; null if the request contains none.
 * @throws {AppError} validation_failed, payload_too_large, not_found
 */
export async function givenDocument(
  self: Self,
  workspaceId: string,
  { url, document, fileId }: GivenDocument,
): Promise<{ url: string } | { text: string } | null> {
  const given = [url, document, fileId].filter(value => value !== undefined);
  if (given.length > 1) throw refuse({ path: "", message: "Give one of `url`, `document` and `fileId`." });
  if (url !== undefined) return { url };
  if (document !== undefined) {
    if (typeof document !== "string" && (typeof document !== "object" || document === null || Array.isArray(document)))
      throw refuse({ path: "/document", message: "Expected a text or an object" });
    const text = typeof document === "string" ? document : JSON.stringify(document);
    if (text.trim() === "") throw refuse({ path: "/document", message: "Must not be empty" });
    if (Buffer.byteLength(text) > MAX_API_DOCUMENT) throw tooLarge();
    return { text };
  }
  if (fileId === undefined) return null;
  const located = await self.files.locate(workspaceId, fileId, "file");
  if (located.size > MAX_API_DOCUMENT) throw tooLarge();
  const bytes = await buffer(self.files.read(workspaceId, located));
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw refuse({ path: "/fileId", message: "The file is not text in UTF-8" });
  }
}

/** Stores the text of an uploaded document, replacing a previous one. */
export async function keepDocument(self: Self, workspaceId: string, id: string, text: string): Promise<void> {
  const all = self.store.tenant(apiDocuments, workspaceId);
  if (await all.updateOne({ id }, { $set: { text } })) return;
  await all.insert({ id, workspaceId, text, createdAt: new Date() });
}
