/**
 * Marks the memories that the service inserts into a prompt, so that they are not remembered as statements of the user.
 */
const TAG = "weft-memory";

export const asInjected = (text: string): string => `<${TAG}>\n${text.replaceAll(`</${TAG}`, `< /${TAG}`)}\n</${TAG}>`;

const OPEN = new RegExp(`<${TAG}\\b`, "gi");
const CLOSE = new RegExp(`</${TAG}\\s*>`, "gi");

function next(pattern: RegExp, text: string, from: number): { start: number; end: number } | null {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found && { start: found.index, end: pattern.lastIndex };
}

/**
 * Blanks such blocks and keeps all offsets in the text. An unclosed block extends to the end. The time is linear in the
 * length of the text, whatever it repeats.
 */
export function withoutInjected(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let open = next(OPEN, text, 0); open; open = next(OPEN, text, at)) {
    const tagEnd = text.indexOf(">", open.end);
    if (tagEnd < 0) break;
    const end = next(CLOSE, text, tagEnd + 1)?.end ?? text.length;
    parts.push(text.slice(at, open.start), text.slice(open.start, end).replace(/[^\n]/g, " "));
    at = end;
  }
  return parts.join("") + text.slice(at);
}
