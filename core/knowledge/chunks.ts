/** A passage of a text. Offsets are in UTF-16 units: `text.slice(start, end)`. */
export interface Chunk {
  start: number;
  end: number;
}

/** About 250 words: less than the limit of embedding models, and enough to be understood alone. */
export const MAX_CHUNK_CHARS = 1_200;
/** The overlap of neighbouring chunks, so that a sentence cut by one chunk is whole in the next. */
const OVERLAP_CHARS = 150;

const codesOf = (chars: string) => new Set(Array.from(chars, char => char.charCodeAt(0)));
/** The characters that the pattern "\\s" matches. */
const SPACES = codesOf(
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
);
/** These end a sentence without a space after them. */
const WIDE_ENDS = codesOf("。！？");
const ENDS = codesOf(".!?。！？");
const CLOSING = codesOf(")]\"'»”’");
/** The most marks after a sentence, with its end. */
const MAX_CLOSING = 4;

// A piece of a text may have 500,000 units, so none of these compares units by patterns.
const isSpace = (text: string, at: number) => SPACES.has(text.charCodeAt(at));
const isLowSurrogate = (text: string, at: number) => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
};

/** Whether the text within [from, to) ends with the end of a sentence, and perhaps closing marks. */
function endsSentence(text: string, from: number, to: number): boolean {
  let last = to - 1;
  while (last > from && CLOSING.has(text.charCodeAt(last))) last--;
  return last >= from && ENDS.has(text.charCodeAt(last));
}

/** The last place within (from, to] where a sentence ends, or -1. */
function sentenceEnd(text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) {
    if (WIDE_ENDS.has(text.charCodeAt(at - 1))) return at;
    if (isSpace(text, at) && endsSentence(text, Math.max(from, at - MAX_CLOSING), at)) return at;
  }
  return -1;
}

function lastSpace(text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) if (isSpace(text, at)) return at;
  return -1;
}

/** The best end for a piece that begins at `start` and may have `max` units: at a paragraph, line, sentence or word. */
export function cutAt(text: string, start: number, max: number): number {
  const to = start + max;
  if (to >= text.length) return text.length;
  const from = start + Math.ceil(max / 2);
  for (const mark of ["\n\n", "\n"]) {
    // Searching the whole text would take quadratic time if it has no lines.
    const at = text.slice(from, to + mark.length).lastIndexOf(mark);
    if (at > 0) return from + at;
  }
  const at = [sentenceEnd, lastSpace].map(find => find(text, from, to)).find(place => place > from);
  return at ?? (isLowSurrogate(text, to) ? to - 1 : to);
}

/** Where the next chunk begins: some words before `end`, at the beginning of a word. */
function nextStart(text: string, start: number, end: number): number {
  const from = Math.max(start + 1, end - OVERLAP_CHARS);
  for (let at = from; at < end; at++) if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  return end;
}

/** Splits a text into overlapping passages. A short text is a single passage; a blank text has no passages. */
export function chunksOf(text: string): Chunk[] {
  if (text.trim() === "") return [];
  if (text.length <= MAX_CHUNK_CHARS) return [{ start: 0, end: text.length }];
  const chunks: Chunk[] = [];
  let start = 0;
  while (start < text.length) {
    const end = cutAt(text, start, MAX_CHUNK_CHARS);
    if (text.slice(start, end).trim() !== "") chunks.push({ start, end });
    if (end >= text.length) break;
    start = nextStart(text, start, end);
    while (isSpace(text, start)) start++;
  }
  return chunks;
}

/**
 * Splits a text into pieces of at most `max` units without overlap. Joined, they are the text, except for blanks at
 * their edges.
 */
export function piecesOf(text: string, max: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = cutAt(text, start, max);
    const piece = text.slice(start, end).trim();
    if (piece !== "") pieces.push(piece);
    start = end;
  }
  return pieces;
}
