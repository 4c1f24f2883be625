/** A part of a text, and whether the other text lacks it. */
export interface Piece {
  text: string;
  changed: boolean;
}

/** Splits a text into words, spaces, and single other characters. */
const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Longer texts are compared as a whole, because the table below grows with the product of both lengths. */
const MAX_TOKENS = 600;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** The lengths of the longest common subsequences, for each pair of suffixes of two lists. */
function commonOf(from: readonly string[], to: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let a = from.length - 1; a >= 0; a--) {
    for (let b = to.length - 1; b >= 0; b--) {
      table[a]![b] = from[a] === to[b] ? table[a + 1]![b + 1]! + 1 : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
    }
  }
  return table;
}

function add(pieces: Piece[], text: string, changed: boolean): void {
  const last = pieces.at(-1);
  if (last?.changed === changed) last.text += text;
  else pieces.push({ text, changed });
}

/** Splits two texts into pieces that show which words differ. */
export function wordChanges(from: string, to: string): { from: Piece[]; to: Piece[] } {
  const [left, right] = [tokensOf(from), tokensOf(to)];
  const pieces = { from: [] as Piece[], to: [] as Piece[] };
  if (left.length > MAX_TOKENS || right.length > MAX_TOKENS) {
    return { from: [{ text: from, changed: true }], to: [{ text: to, changed: true }] };
  }
  const common = commonOf(left, right);
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    if (a < left.length && b < right.length && left[a] === right[b]) {
      add(pieces.from, left[a++]!, false);
      add(pieces.to, right[b++]!, false);
    } else if (b === right.length || (a < left.length && common[a + 1]![b]! >= common[a]![b + 1]!)) {
      add(pieces.from, left[a++]!, true);
    } else add(pieces.to, right[b++]!, true);
  }
  return pieces;
}
