import { DOCX, XLSX } from "../../contracts/import-types.ts";
import { limitMemory } from "../processes/memory-watch.ts";
import { serveTasks } from "../processes/serve-tasks.ts";
import { csvText } from "./csv-text.ts";
import { docxText } from "./docx-text.ts";
import { htmlText } from "./html-text.ts";
import { type Answer, DocumentError, type Section, type Task, MAX_TEXT_CHARS } from "./messages.ts";
import { pdfSections } from "./pdf-text.ts";
import { decodeText } from "./plain-text.ts";
import { xlsxSections } from "./xlsx-text.ts";

function plainText(bytes: Uint8Array, charset: string | undefined): string {
  const text = decodeText(bytes, charset);
  if (text.length > MAX_TEXT_CHARS)
    throw new DocumentError("file_too_large", `The file has more than ${MAX_TEXT_CHARS} characters.`);
  return text.replace(/\r\n?/g, "\n").trim();
}

const MAX_RSS_MB = 448;

async function sectionsOf({ type, charset, bytes }: Task): Promise<Section[]> {
  if (type === "application/pdf") return pdfSections(bytes);
  if (type === DOCX) return [await docxText(bytes)];
  if (type === XLSX) return xlsxSections(bytes);
  const text = plainText(bytes, charset);
  if (type === "text/csv") return [csvText(text)];
  return [type === "text/html" ? htmlText(text) : { text }];
}

async function answer(task: Task): Promise<Answer> {
  try {
    const sections = (await sectionsOf(task)).filter(({ text }) => text !== "");
    if (sections.length === 0)
      throw new DocumentError("file_without_text", "The file contains no text. Scanned pages have no text.");
    return { sections };
  } catch (error) {
    const { code, message } =
      error instanceof DocumentError
        ? error
        : { code: "file_unreadable" as const, message: "The file cannot be read: it is broken." };
    return { error: { code, message } };
  }
}

limitMemory(MAX_RSS_MB);
serveTasks(answer);
