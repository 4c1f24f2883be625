import type { ImportType } from "../../contracts/import-types.ts";

/** A self-contained part of a document: a page of a PDF, or the whole of another file. */
export interface Section {
  text: string;
  /** The page number, from 1. */
  page?: number;
  /** The title in the document itself. */
  title?: string;
}

export interface Task {
  type: ImportType;
  /** The charset of a text file, from its Content-Type. */
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

/** Says why a file cannot be read. The message is written for users. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;
  constructor(code: DocumentErrorCode, message: string) {
    super(message);
    this.name = "DocumentError";
    this.code = code;
  }
}

/** The limit for all sections of a document together, in UTF-16 units. */
export const MAX_TEXT_CHARS = 5_000_000;
export const MAX_PAGES = 5_000;
