import { keywordsMatch } from "../../../core/search/keywords.ts";
import { best } from "../../../core/search/score.ts";
import { sparseOfKeywords } from "../../../core/search/sparse-vector.ts";
import type { CheckedQuery } from "../check.ts";
import type { SearchHit } from "../port.ts";
import type { FoundPoint } from "./client.ts";
import { DENSE, SPARSE } from "./collection-config.ts";
import type { QdrantConnection } from "./connection.ts";
import { filterOf, type PointPayload } from "./points.ts";

const RANKED_LEAST = 50;
const RANKED_PER_HIT = 4;
/** What servers in strict mode are commonly set to give at most. */
const MAX_RANKED = 1_000;
/** So few are compared one by one, without a graph, and need not be asked for as an exact search, which may be forbidden. */
const COMPARED = 200;
const CARRIED = ["id", "words", "payload"];
const RESCORED = { quantization: { rescore: true, oversampling: 2 } };

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
  const ranked = { limit: Math.min(MAX_RANKED, RANKED_LEAST + RANKED_PER_HIT * limit), with_payload: CARRIED };
  const nearest = vector && dense && { query: [...vector.values], using: DENSE, params: RESCORED };
  const wording = { query: sparseOfKeywords(keywords), using: SPARSE, filter, ...ranked };
  const holding = { ...filter, must: [...filter.must, { key: "words", match: { any: keywords } }] };
  const searches = [
    ...(nearest && mode !== "keyword" ? [{ ...nearest, filter, ...ranked }] : []),
    ...(nearest && mode === "hybrid" && keywords.length > 0 ? [{ ...nearest, filter: holding, ...ranked }] : []),
  ];
  const byWords = keywords.length > 0 && mode !== "vector" ? [wording] : [];
  if (searches.length + byWords.length === 0) return [];
  const lists = await connection.run(client => client.query(collection, [...searches, ...byWords]));

  const cosines = scoresOf(lists.slice(0, searches.length).flat());
  const weights = scoresOf(lists.slice(searches.length).flat());
  const found = new Map(lists.flat().map(({ id, payload }) => [id, payload as PointPayload]));
  const apart = [...found.keys()].filter(id => !cosines.has(id));
  if (nearest && apart.length > 0) {
    const compared = chunked(apart, COMPARED).map(has_id => {
      return { ...nearest, filter: { must: [...filter.must, { has_id }] }, limit: has_id.length };
    });
    for (const points of await connection.run(client => client.query(collection, compared)))
      for (const { id, score } of points) cosines.set(id, score);
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

const scoresOf = (points: readonly FoundPoint[]): Map<string, number> =>
  new Map(points.map(({ id, score }) => [id, score]));

const chunked = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) => items.slice(place * size, (place + 1) * size));
