/** A piece of a text with its position. `text` has no surrounding white space. */
export interface Piece {
  text: string;
  start: number;
  end: number;
}

export interface Sentence extends Piece {
  isQuestion: boolean;
}

const ABBREVIATION =
  /(?:\b(?:dr|mr|mrs|ms|prof|st|sr|jr|vs|etc|approx|inc|ltd|no|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m)|\b\p{Lu})\.$/iu;
const MONTH = /\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$/i;
const LABEL = /^\s*(?:\*\*)?(user|human|me|customer|assistant|ai|bot|system|tool|agent|model)(?:\*\*)?:\s*/i;
const ABOUT_THE_USER = /^(user|human|me|customer)$/i;
/** Longer sentences are split, because reading a sentence may take quadratic time. */
const MAX_SENTENCE = 1_000;
const BULLET = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;
/** Matches from the beginning of a run of marks, so that a long run is read once. */
const END = /(?<![.!?…])[.!?…]+["')\]]*(?=\s|$)|[。！？]+/gu;
/** Longer than any abbreviation. */
const MAX_ABBREVIATION = 12;

/** A piece of the text without surrounding white space. */
export function pieceOf(text: string, start: number, end: number): Piece {
  const part = text.slice(start, end);
  const from = start + (part.length - part.trimStart().length);
  return { text: part.trim(), start: from, end: from + part.trim().length };
}

function* sentencesIn(text: string, start: number, end: number): Generator<Sentence> {
  const line = text.slice(start, end);
  let from = 0;
  function* close(to: number, mark: string): Generator<Sentence> {
    for (; from < to; from = Math.min(to, from + MAX_SENTENCE)) {
      const piece = pieceOf(text, start + from, start + Math.min(to, from + MAX_SENTENCE));
      if (piece.text) yield { ...piece, isQuestion: /[?？]/.test(mark) };
    }
  }
  for (const { 0: mark, index } of line.matchAll(END)) {
    const to = index + mark.length;
    if (mark === ".") {
      const said = line.slice(Math.max(from, to - MAX_ABBREVIATION), to);
      const rest = line.slice(to);
      if (/\S/.test(rest) && (ABBREVIATION.test(said) || (MONTH.test(said) && /^\s+\d/.test(rest)))) continue;
    }
    yield* close(to, mark);
  }
  yield* close(line.length, "");
}

/** The sentences of a text. In a conversation with labels (`User: …`, `Assistant: …`), only the sentences of people. */
export function* sentencesOf(text: string): Generator<Sentence> {
  let isTheirs = true;
  let at = 0;
  for (const line of text.split("\n")) {
    const [label, who] = LABEL.exec(line) ?? [];
    if (who !== undefined) isTheirs = ABOUT_THE_USER.test(who);
    const lead = label ?? BULLET.exec(line)?.[0] ?? "";
    if (isTheirs && lead.length < line.length) yield* sentencesIn(text, at + lead.length, at + line.length);
    at += line.length + 1;
  }
}
