import type { Payload } from "../search/payload.ts";
import { scoreOf, type Scored } from "../search/score.ts";

/** Texts with a cosine below this are unrelated, with any embedding model. */
const MIN_COSINE = 0.1;

export type Matched = "semantic" | "keyword" | "hybrid";

/** The best passage of one entry. */
export interface Passage {
  entryId: string;
  score: number;
  matched: Matched;
  chunk: { index: number; start: number; end: number };
}

type Hit = Scored & { payload: Payload };

const isNear = (cosine: number | null) => cosine !== null && cosine >= MIN_COSINE;

function matchedBy({ cosine, keyword }: Hit): Matched | null {
  if (isNear(cosine)) return keyword ? "hybrid" : "semantic";
  return keyword ? "keyword" : null;
}

/** The search results, best first, with one passage per entry. */
export function passagesOf(hits: readonly Hit[]): Passage[] {
  const best = new Map<string, Passage>();
  for (const hit of hits) {
    const { entry, place, start, end } = hit.payload;
    const matched = matchedBy(hit);
    if (matched === null || typeof entry !== "string" || best.has(entry)) continue;
    const chunk = { index: Number(place), start: Number(start), end: Number(end) };
    best.set(entry, { entryId: entry, score: scoreOf(hit), matched, chunk });
  }
  return [...best.values()];
}

/** One flag for each passage of an entry. `1` means that the passage has a vector. */
export const noVectors = (passages: number): string => "0".repeat(passages);

/** Sets the flags of these passages. */
export const withVectors = (flags: string, places: ReadonlySet<number>): string =>
  [...flags].map((flag, place) => (places.has(place) ? "1" : flag)).join("");

export const isComplete = (flags: string): boolean => !flags.includes("0");
