import type { RenderedPage } from "./markdown.ts";

/** A search result's place. The names are short because the browser downloads the file. */
export interface SearchEntry {
  /** The page, and its anchor. */
  u: string;
  /** The title of the page. */
  t: string;
  /** The heading. */
  h: string;
  /** The text below it. */
  x: string;
}

/**
 * How much of a section's text is indexed. Code ranks higher, so a word far down a long section may still be found
 * there.
 */
const MAX_TEXT = 700;
const CODE = /\b(?:[a-z]+[A-Z]\w*|\w+_\w+)\b/g;

function indexed(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const rest = text.slice(MAX_TEXT).match(CODE) ?? [];
  return `${text.slice(0, MAX_TEXT)} ${[...new Set(rest)].join(" ")}`;
}

export const searchEntries = (path: string, { title, passages }: RenderedPage): SearchEntry[] =>
  passages.map(({ heading, text }) => ({
    u: heading.level === 1 ? path : `${path}#${heading.anchor}`,
    t: title,
    h: heading.text,
    x: indexed(text),
  }));
