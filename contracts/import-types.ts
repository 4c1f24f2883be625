export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The types of files that can be imported into a knowledge base. */
export const IMPORT_TYPES = [
  "text/plain",
  "text/markdown",
  "text/html",
  "text/csv",
  "application/pdf",
  DOCX,
  XLSX,
] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/** The import type of each file name extension. */
export const IMPORT_EXTENSIONS: Readonly<Record<string, ImportType>> = {
  txt: "text/plain",
  text: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  htm: "text/html",
  html: "text/html",
  xhtml: "text/html",
  csv: "text/csv",
  pdf: "application/pdf",
  docx: DOCX,
  xlsx: XLSX,
};
