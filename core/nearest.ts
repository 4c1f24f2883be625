/** Longer words and further candidates are not compared, because a suggestion is not worth the time. */
const MAX_LENGTH = 40;
const MAX_CANDIDATES = 300;

/**
 * The number of letters to add, remove, replace or swap with the next one (optimal string alignment), or `cap` if it is
 * not smaller. Only cells nearer than `cap` to the diagonal are computed, because all others are at least `cap`
 * (Ukkonen, 1985).
 */
function distance(a: string, b: string, cap: number): number {
  if (Math.abs(a.length - b.length) >= cap) return cap;
  let older: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, cap));
  let row: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - cap + 1);
    const last = Math.min(b.length, i + cap - 1);
    row[first - 1] = first === 1 ? Math.min(i, cap) : cap;
    row[last + 1] = cap;
    for (let j = first; j <= last; j++) {
      const changed = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? older[j - 2]! + 1 : cap;
      row[j] = Math.min(cap, changed, swapped, before[j]! + 1, row[j - 1]! + 1);
    }
    [older, before, row] = [before, row, older];
  }
  return before[b.length]!;
}

/** The candidate nearest to a misspelt word. At most a third of its letters, and at most two, may differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const most = Math.min(2, Math.floor(word.length / 3));
  if (most === 0 || word.length > MAX_LENGTH) return undefined;
  const wanted = word.toLowerCase();
  let found: string | undefined;
  let least = most + 1;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const differs = distance(wanted, candidate.toLowerCase(), least);
    if (differs < least) [found, least] = [candidate, differs];
  }
  return found;
}

/** ` Did you mean "x"?` if a candidate is near, else an empty text. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
