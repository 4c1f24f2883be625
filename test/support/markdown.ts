import { globSync, readFileSync } from "node:fs";
import { anchorOf } from "../../services/gateway/docs/links.ts";

export const read = (path: string): string => readFileSync(path, "utf8");

/** The paths of all documents of the project. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md").sort(),
];

/** The text below a heading, up to the next heading of the same or a higher level. */
export function section(text: string, heading: string): string {
  const lines = text.split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`There is no "${heading}".`);
  const level = heading.indexOf(" ");
  const end = lines.findIndex((line, place) => place > start && /^#{1,6} /.test(line) && line.indexOf(" ") <= level);
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

const cellsOf = (line: string) => line.slice(1, -1).split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll("\\", "")); // prettier-ignore

/** The body of the first table in a text: a list of cells for each row. */
export function table(text: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex(line => line.startsWith("|"));
  if (start < 0) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex(line => !line.startsWith("|"));
  return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

/** A cell without backticks, with only the text of its links. */
export const plain = (cell = ""): string => cell.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");

export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");

/** Every anchor of a document. */
export const anchors = (text: string): Set<string> =>
  new Set([...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));

/** The targets of the links in a document, except in code blocks. */
export const links = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
