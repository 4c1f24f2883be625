import { asInjected } from "./injected.ts";

/** The estimated length of a token: English prose has about four characters per token. */
const CHARS_PER_TOKEN = 4;

const FRAME_CHARS = asInjected("").length;

export const tokensIn = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

export interface ContextSection<T> {
  title: string;
  /** The lines of the section, most important first. */
  items: readonly T[];
}

interface Line {
  id: string;
  content: string;
  eventDate?: string | null;
}

const lineOf = ({ content, eventDate }: Line) =>
  `- ${content.replace(/\s+/g, " ").trim()}${eventDate ? ` (${eventDate.slice(0, 10)})` : ""}`;

/**
 * Packs memories into a block for a prompt, of at most `tokens` as `tokensIn` counts them. Sections take turns, and
 * each gives its most important remaining line, so that a long section does not displace the others. A line that does
 * not fit is left out, but shorter lines after it may fit. No memory occurs twice.
 */
export function packContext<T extends Line>(
  sections: readonly ContextSection<T>[],
  tokens: number,
): { text: string; items: T[]; truncated: boolean } {
  const chosen = sections.map(() => [] as T[]);
  const seen = new Set<string>();
  let truncated = false;
  let left = tokens * CHARS_PER_TOKEN - FRAME_CHARS;
  const longest = Math.max(0, ...sections.map(({ items }) => items.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const [at, { title, items }] of sections.entries()) {
      const item = items[rank];
      if (!item || seen.has(item.id)) continue;
      const heading = chosen[at]!.length === 0 ? title.length + 2 : 0;
      const cost = asInjected(`${lineOf(item)}\n`).length - FRAME_CHARS + heading;
      if (cost > left) {
        truncated = true;
        continue;
      }
      left -= cost;
      seen.add(item.id);
      chosen[at]!.push(item);
    }
  }
  const blocks = sections.flatMap(({ title }, at) =>
    chosen[at]!.length > 0 ? [`${title}:\n${chosen[at]!.map(lineOf).join("\n")}`] : [],
  );
  const text = blocks.length > 0 ? asInjected(blocks.join("\n")) : "";
  return { text, items: chosen.flat(), truncated };
}
