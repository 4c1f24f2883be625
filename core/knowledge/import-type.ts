import { DOCX, IMPORT_EXTENSIONS, type ImportType, XLSX } from "../../contracts/import-types.ts";

const BY_TYPE: Record<string, ImportType> = {
  "text/plain": "text/plain",
  "text/markdown": "text/markdown",
  "text/x-markdown": "text/markdown",
  "text/html": "text/html",
  "application/xhtml+xml": "text/html",
  "text/csv": "text/csv",
  "application/pdf": "application/pdf",
  [DOCX]: DOCX,
  [XLSX]: XLSX,
};

/** The type of a file, from its Content-Type or else its extension; undefined when the type cannot be imported. */
export function importTypeOf(
  name: string,
  contentType?: string,
): { type: ImportType; charset?: string | undefined } | undefined {
  if (contentType === undefined) {
    const [, extension = ""] = /\.([a-z]+)$/i.exec(name) ?? [];
    const type = IMPORT_EXTENSIONS[extension.toLowerCase()];
    return type && { type };
  }
  const [media = "", ...parameters] = contentType.split(";");
  const type = BY_TYPE[media.trim().toLowerCase()];
  const charset = parameters.map(one => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/i.exec(one)?.[1]).find(Boolean);
  return type && { type, charset };
}
