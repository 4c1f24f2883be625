import { clip } from "../clip.ts";
import { isObject } from "../json.ts";

/**
 * The bounds of one result, of all results of one turn, and of the results of all turns. The total approaches the last
 * bound without reaching it.
 */
const MAX_RESULT_CHARS = 20_000;
const MAX_TURN_CHARS = 100_000;
const MAX_ALL_CHARS = 1_000_000;
const LEAST_CHARS = 300;

/** The longest allowed result of one call, given the characters of earlier results. */
export function resultLimit(charsBefore: number, callsOfTurn: number): number {
  const left = Math.max(0, MAX_ALL_CHARS - charsBefore) / 8;
  return Math.floor(Math.max(LEAST_CHARS, Math.min(MAX_RESULT_CHARS, MAX_TURN_CHARS / Math.max(1, callsOfTurn), left)));
}

/** A text cut to at most `max` characters, with a note when something was cut. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const note = `\n[${text.length} characters; the rest is left out]`;
  return clip(text, Math.max(1, max - note.length)) + note;
}

const named = (value: unknown) => (typeof value === "string" ? value : "");

/** A part of a tool's answer as text. Parts of the Model Context Protocol that are not text are named. */
function partText(part: unknown): string {
  if (!isObject(part)) return JSON.stringify(part ?? null);
  switch (part.type) {
    case "text":
      return named(part.text);
    case "image":
    case "audio":
      return `[${part.type}, ${named(part.mimeType)}, not shown]`;
    case "resource_link":
      return `[${named(part.name)}: ${named(part.uri)}]`;
    case "resource": {
      const { text, uri } = isObject(part.resource) ? part.resource : {};
      return typeof text === "string" ? text : `[${named(uri)}, not shown]`;
    }
    default:
      return JSON.stringify(part);
  }
}

/** A tool's answer as text. Structured content without text is given as JSON. */
export function resultText({
  content,
  structuredContent,
}: {
  content: readonly unknown[];
  structuredContent?: unknown;
}) {
  const text = content.map(partText).join("\n").trim();
  if (text !== "" || structuredContent === undefined) return text || "(nothing)";
  return JSON.stringify(structuredContent);
}

/** Wraps external content in marks that the content itself cannot close. */
export const asData = (text: string): string => `<data>\n${text.replace(/<(?=\/?data\b)/gi, "&lt;")}\n</data>`;
