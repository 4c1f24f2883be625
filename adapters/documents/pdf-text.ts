import { getDocumentProxy } from "unpdf";
import { DocumentError, MAX_PAGES, MAX_TEXT_CHARS, type Section } from "./messages.ts";

type PDFPageProxy = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

/** The most pieces of one page. */
const MAX_PIECES = 200_000;

/** A piece of a page's text, in reading order. Structure marks have no text. */
interface Item {
  str?: string;
  hasEOL?: boolean;
}

const tooLarge = () => new DocumentError("file_too_large", "The PDF has too many pages, or too much text in them.");

/** Yields the items of a page as they arrive, so that an endless page is not held in memory as a whole. */
async function* itemsOf(page: PDFPageProxy): AsyncGenerator<Item> {
  const reader = (page.streamTextContent() as ReadableStream<{ items: Item[] }>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield* next.value.items;
  } finally {
    // The cancellation is not awaited, because it can take long for a page that is partly read.
    reader.cancel().catch(() => undefined);
  }
}

async function pageText(page: PDFPageProxy): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const { str = "", hasEOL } of itemsOf(page)) {
    length += str.length;
    if (length > MAX_TEXT_CHARS || pieces.length > MAX_PIECES) throw tooLarge();
    pieces.push(hasEOL ? `${str}\n` : str);
  }
  const text = pieces.join("").replaceAll("\0", "");
  return text.replace(/[ \t]+\n/g, "\n").trim();
}

function troubleOf(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const { name } = error as { name?: string };
  return name === "PasswordException"
    ? new DocumentError("file_encrypted", "The PDF is protected by a password.")
    : new DocumentError("file_unreadable", "The file is not a valid PDF.");
}

/** Extracts the text of a PDF, one section per page. Pages without text are left out. */
export async function pdfSections(bytes: Uint8Array): Promise<Section[]> {
  try {
    // Copies the bytes, because pdf.js does not accept a Buffer.
    const data = new Uint8Array(bytes);
    const document = await getDocumentProxy(data, { disableFontFace: true, verbosity: 0 });
    if (document.numPages > MAX_PAGES) throw tooLarge();
    const { info } = (await document.getMetadata()) as { info: { Title?: unknown } };
    const title = typeof info.Title === "string" ? info.Title.trim().slice(0, 500) : "";
    const sections: Section[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const text = await pageText(page);
      page.cleanup();
      length += text.length;
      if (length > MAX_TEXT_CHARS) throw tooLarge();
      if (text !== "") sections.push({ text, page: number, ...(title && { title }) });
    }
    return sections;
  } catch (error) {
    throw troubleOf(error);
  }
}
