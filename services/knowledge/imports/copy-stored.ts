import { rechunk } from "../../../adapters/files/sealed-chunks.ts";
import { config } from "../../../config.ts";
import { MAX_PART_BYTES } from "../../../contracts/actions/knowledge.ts";
import { type ActionContext, call } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Self } from "../service.ts";

interface Stored {
  workspaceId: string;
  /** The knowledge base. */
  id: string;
  fileId: string;
  name: string;
  contentType?: string | undefined;
}

/**
 * Copies a file of the workspace into an upload, part by part, so that the import does not depend on the file. Returns the
 * id of the upload.
 * @throws {AppError} not_found, payload_too_large, limit_reached, unavailable
 */
export async function copyStored(
  { files }: Self,
  ctx: ActionContext<"knowledge.imports.create">,
  { workspaceId, id, fileId, name, contentType }: Stored,
): Promise<string> {
  const located = await files.locate(workspaceId, fileId, "file");
  const max = config().MAX_UPLOAD_BYTES;
  if (located.size > max)
    throw new AppError("payload_too_large", { detail: `A file that is imported is limited to ${max} bytes.` });
  const begun = { workspaceId, id, name, ...(contentType !== undefined && { contentType }) };
  const { uploadId } = await call(ctx, "knowledge.uploads.begin", begun);
  try {
    let place = 0;
    for await (const part of rechunk(files.read(workspaceId, located), MAX_PART_BYTES)) {
      if (part.length === 0) break;
      const base64 = part.toString("base64");
      await call(ctx, "knowledge.uploads.append", { workspaceId, uploadId, place: place++, base64 });
    }
    return uploadId;
  } catch (error) {
    // If this hint is lost, the upload expires.
    call(ctx, "knowledge.uploads.discard", { workspaceId, uploadId }).catch(() => undefined);
    throw error;
  }
}
