import type { ImportType } from "../../contracts/import-types.ts";

/** A stretch of a document that stands by itself: a page of a PDF, or the whole of another file. */
export interface Section {
  text: string;
  /** From 1. */
  page?: number;
  /** As the document says. */
  title?: string;
}

export interface Task {
  type: ImportType;
  /** Of a text, as its Content-Type says. */
  charset?: string | undefined;
  bytes: Uint8Array;
}

export type DocumentErrorCode =
  | "file_unreadable"
  | "file_encrypted"
  | "file_without_text"
  | "file_too_large"
  | "file_too_complex"
  | "file_reader_busy";

export type Answer = { sections: Section[] } | { error: { code: DocumentErrorCode; message: string } };

/** Why a file cannot be read. The message is for people. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;
  constructor(code: DocumentErrorCode, message: string) {
    super(message);
    this.name = "DocumentError";
    this.code = code;
  }
}

/** Of all sections together, in UTF-16 units. */
export const MAX_TEXT_CHARS = 5_000_000;
export const MAX_PAGES = 5_000;
