import { Worker } from "node:worker_threads";
import { serveTasks } from "../processes/serve-tasks.ts";
import { csvText } from "./csv-text.ts";
import { htmlText } from "./html-text.ts";
import { type Answer, DocumentError, type Section, type Task, MAX_TEXT_CHARS } from "./messages.ts";
import { pdfSections } from "./pdf-text.ts";

/** Decodes bytes by their byte order mark, else by the given charset, else as UTF-8. */
function plainText(bytes: Uint8Array, charset = "utf-8"): string {
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
  if (text.length > MAX_TEXT_CHARS)
    throw new DocumentError("file_too_large", `The file has more than ${MAX_TEXT_CHARS} characters.`);
  return text.replace(/\r\n?/g, "\n").trim();
}

/** Unpacked data of a file lies outside V8's heap, which has its own limit. This limit covers the whole process. */
const MAX_RSS = 448 * 1024 * 1024;
const MEMORY_WATCH = `setInterval(() => {
  if (process.memoryUsage.rss() > ${MAX_RSS}) process.kill(process.pid, "SIGKILL");
}, 20)`;

async function sectionsOf({ type, charset, bytes }: Task): Promise<Section[]> {
  if (type === "application/pdf") return pdfSections(bytes);
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

new Worker(MEMORY_WATCH, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
serveTasks(answer);
