import { AppError } from "../../../contracts/errors.ts";
import { IMPORT_TYPES } from "../../../contracts/import-types.ts";
import { importTypeOf } from "../../../core/knowledge/import-type.ts";
import { ensureLimit } from "../../../service-kit/limit.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { imports } from "../model.ts";

export const invalidField = (field: string, message: string) =>
  new AppError("validation_failed", { errors: [{ path: field && `/${field}`, message }] });

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

/**
 * The type of a file.
 * @throws {AppError} validation_failed, or unsupported_media_type when the charset is unknown
 */
export function kindOf(name: string, contentType: string | undefined) {
  const kind = importTypeOf(name, contentType);
  if (!kind) throw invalidField("contentType", `Expected one of ${IMPORT_TYPES.join(", ")}`);
  if (kind.charset !== undefined && !isCharset(kind.charset)) {
    throw new AppError("unsupported_media_type", { detail: `The charset ${kind.charset} is not supported.` });
  }
  return kind;
}

export async function ensureImportRoom({ store }: WithStore, workspaceId: string): Promise<void> {
  await ensureLimit("knowledge_imports", workspaceId, store.tenant(imports, workspaceId), { dueAt: { $exists: true } });
}
