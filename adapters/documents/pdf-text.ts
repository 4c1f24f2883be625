import { getDocumentProxy } from "unpdf";
import { DocumentError, MAX_PAGES, MAX_TEXT_CHARS, type Section } from "./messages.ts";

type PDFPageProxy = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

/** Of one page. */
const MAX_PIECES = 200_000;

/** A piece of a page's text, in reading order; marks of structure have no text. */
interface Item {
  str?: string;
  hasEOL?: boolean;
}

const tooLarge = () => new DocumentError("file_too_large", "The PDF has too many pages, or too much text in them.");

/** The items of a page as they come, so that a page without an end does not have to be held as a whole. */
async function* itemsOf(page: PDFPageProxy): AsyncGenerator<Item> {
  const reader = (page.streamTextContent() as ReadableStream<{ items: Item[] }>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield* next.value.items;
  } finally {
    // Not waited for: a page that is left half-way may take its time.
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

/** The words of a PDF, a section a page; pages without words are left out. */
export async function pdfSections(bytes: Uint8Array): Promise<Section[]> {
  try {
    // A copy: of a Buffer it wants nothing.
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
