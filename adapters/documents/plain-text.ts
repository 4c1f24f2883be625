import { DocumentError } from "./messages.ts";

/**
 * Decodes bytes according to their byte order mark, else in the given charset, else as UTF-8.
 * @throws {DocumentError} when they are not text of this charset
 */
export function decodeText(bytes: Uint8Array, charset = "utf-8"): string {
  const [a, b] = bytes;
  const label = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : charset;
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError("file_unreadable", `The file is not valid ${label} text.`);
  }
  if (text.includes("\0"))
    throw new DocumentError("file_unreadable", "The file is not text: it contains NUL characters.");
  return text;
}
