export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Where the string that begins at `start` closes in a JSON text. For a string that does not close, it is the end of the
 * text.
 */
export function afterString(text: Buffer, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end >= 0; end = text.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
