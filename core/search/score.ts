/** The score of a keyword match, added to the similarity of meaning. */
export const KEYWORD_BONUS = 0.2;

export interface Scored {
  id: string;
  /** Similarity of meaning, -1 to 1; null when there is no vector to compare. */
  cosine: number | null;
  /** Whether the keywords match. */
  keyword: boolean;
  /** The weight of the keywords among the texts of one answer; 0 when they do not match. */
  bm25: number;
}

export type SearchMode = "hybrid" | "vector" | "keyword";

export const scoreOf = ({ cosine, keyword }: Pick<Scored, "cosine" | "keyword">): number =>
  (cosine ?? 0) + (keyword ? KEYWORD_BONUS : 0);

/** Whether a search in this mode returns the entry at all. */
export const isFound = (mode: SearchMode, { cosine, keyword }: Scored): boolean =>
  mode === "vector" ? cosine !== null : mode === "keyword" ? keyword : keyword || cosine !== null;

/** The best results, each id once. In `keyword` mode the weight of the words decides, otherwise the score. */
export function bestResults<T extends Scored>(mode: SearchMode, found: readonly T[], limit: number): T[] {
  const once = new Map(found.filter(hit => isFound(mode, hit)).map(hit => [hit.id, hit]));
  return [...once.values()].sort((a, b) => compare(mode, a, b)).slice(0, limit);
}

function compare(mode: SearchMode, a: Scored, b: Scored): number {
  const byWords = b.bm25 - a.bm25;
  const byScore = mode === "vector" ? (b.cosine ?? -1) - (a.cosine ?? -1) : scoreOf(b) - scoreOf(a);
  const [first, second] = mode === "keyword" ? [byWords, byScore] : [byScore, byWords];
  return first || second || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
