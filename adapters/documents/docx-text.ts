import mammoth from "mammoth";
import { htmlText } from "./html-text.ts";
import { DocumentError, type Section } from "./messages.ts";
import { checkPackage } from "./office-package.ts";

/** Pictures have no text. Without this, their bytes would become a part of the page. */
const withoutPictures = mammoth.images.imgElement(() => Promise.resolve({ src: "" }));

/**
 * Extracts the text of a Word document, with headings and lists marked as in Markdown.
 * @throws {DocumentError} when the file is no such document, or exceeds a limit
 */
export async function docxText(bytes: Uint8Array): Promise<Section> {
  await checkPackage(bytes, "word/");
  let html: string;
  try {
    ({ value: html } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      { convertImage: withoutPictures, externalFileAccess: false, includeEmbeddedStyleMap: false },
    ));
  } catch {
    throw new DocumentError("file_unreadable", "The file is not a valid Word document.");
  }
  return htmlText(html);
}
