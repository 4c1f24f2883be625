/** Longer words and further candidates are not compared, because a suggestion is not worth the time. */
const MAX_LENGTH = 40;
const MAX_CANDIDATES = 300;

/** The number of letters to add, remove, replace or swap with the next one (optimal string alignment). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? older[j - 2]! + 1 : Infinity;
      row.push(Math.min(changed, swapped, before[j]! + 1, row[j - 1]! + 1));
    }
    older = before;
    before = row;
  }
  return before[b.length]!;
}

/** The candidate nearest to a misspelt word. At most a third of its letters, and at most two, may differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const most = Math.min(2, Math.floor(word.length / 3));
  if (most === 0 || word.length > MAX_LENGTH) return undefined;
  let found: string | undefined;
  let least = most + 1;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const differs = distance(word.toLowerCase(), candidate.toLowerCase());
    if (differs < least) [found, least] = [candidate, differs];
  }
  return found;
}

/** ` Did you mean "x"?` if a candidate is near, else an empty text. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
