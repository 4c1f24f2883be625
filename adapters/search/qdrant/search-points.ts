import { keywordsMatch } from "../../../core/search/keywords.ts";
import { best } from "../../../core/search/score.ts";
import { sparseOfKeywords } from "../../../core/search/sparse-vector.ts";
import type { CheckedQuery } from "../check.ts";
import type { SearchHit } from "../port.ts";
import { DENSE, SPARSE } from "./collections.ts";
import type { QdrantConnection } from "./connection.ts";
import { filterOf, type PointPayload } from "./points.ts";

const RANKED_LEAST = 50;
const RANKED_PER_HIT = 4;
const CARRIED = ["id", "words", "payload"];
const RESCORED = { quantization: { rescore: true, oversampling: 2 } };

interface Scored {
  id: string | number;
  score: number;
  payload?: unknown;
}

/**
 * The nearest by meaning, the nearest of those that hold keywords, and the best by words, in one request; the few that were found
 * by words alone are then compared exactly. The server could add up such scores itself, but only among what each of its
 * lists holds: the cosine of the others would be missing.
 */
export async function searchPoints(
  connection: QdrantConnection,
  collection: string,
  workspaceId: string,
  { keywords, vector, clauses, limit, mode }: CheckedQuery,
  dense: boolean,
): Promise<SearchHit[]> {
  if (clauses.some(({ not, values }) => !not && values.length === 0)) return [];
  const filter = filterOf(workspaceId, clauses);
  const ranked = { limit: RANKED_LEAST + RANKED_PER_HIT * limit, with_payload: CARRIED };
  const nearest = vector && dense && { query: [...vector.values], using: DENSE, params: RESCORED };
  const wording = { query: sparseOfKeywords(keywords), using: SPARSE, filter, ...ranked };
  const holding = { ...filter, must: [...filter.must, { key: "words", match: { any: keywords } }] };
  const searches = [
    ...(nearest && mode !== "keyword" ? [{ ...nearest, filter, ...ranked }] : []),
    ...(nearest && mode === "hybrid" && keywords.length > 0 ? [{ ...nearest, filter: holding, ...ranked }] : []),
  ];
  const byWords = keywords.length > 0 && mode !== "vector" ? [wording] : [];
  if (searches.length + byWords.length === 0) return [];
  const answers = await connection.run(client =>
    client.queryBatch(collection, { searches: [...searches, ...byWords] }),
  );
  const lists = answers.map(({ points }) => points as Scored[]);

  const cosines = scoresOf(lists.slice(0, searches.length).flat());
  const weights = scoresOf(lists.slice(searches.length).flat());
  const found = new Map(lists.flat().map(({ id, payload }) => [id, payload as PointPayload]));
  const apart = [...found.keys()].filter(id => !cosines.has(id));
  if (nearest && apart.length > 0) {
    const exact = { ...nearest, filter: { must: [...filter.must, { has_id: apart }] }, limit: apart.length };
    const { points } = await connection.run(client => client.query(collection, { ...exact, params: { exact: true } }));
    for (const { id, score } of points as Scored[]) cosines.set(id, score);
  }
  const hits = [...found].map(([point, { id, payload, words }]): SearchHit => {
    const keyword = keywordsMatch(keywords, words);
    const cosine = cosines.get(point);
    return {
      id,
      payload,
      cosine: cosine === undefined ? null : Math.max(-1, Math.min(1, cosine)),
      keyword,
      bm25: keyword ? (weights.get(point) ?? 0) : 0,
    };
  });
  return best(mode, hits, limit);
}

const scoresOf = (points: readonly Scored[]): Map<string | number, number> =>
  new Map(points.map(({ id, score }) => [id, score]));
