import { requiredMatches } from "../../../core/search/keywords.ts";
import { bestResults, type Scored } from "../../../core/search/score.ts";
import { sparseOfKeywords } from "../../../core/search/sparse-vector.ts";
import type { CheckedQuery } from "../check.ts";
import type { SearchHit } from "../port.ts";
import type { FoundPoint, Query } from "./client.ts";
import { DENSE, SPARSE } from "./collection-config.ts";
import type { QdrantConnection } from "./connection.ts";
import { filterOf, type PointPayload } from "./points.ts";

const RANKED_LEAST = 50;
const RANKED_PER_HIT = 4;
/** How many more points than hits a search by words alone reads, so that ids decide the order of equal hits. */
const EQUALS = 20;
/** The usual limit of servers in strict mode. */
const MAX_RANKED = 1_000;
/** Qdrant compares this number of points one by one. So an exact search is not needed, which may be forbidden. */
const COMPARED = 200;
const CARRIED = ["id", "payload"];
const RESCORED = { quantization: { rescore: true, oversampling: 2 } };

/**
 * One request returns up to three lists of ids with scores: the nearest points by meaning, the nearest points that
 * match the keywords, and the best of these by words. A second request reads the payloads of the hits. A payload
 * contains the text and its words, so reading the payloads of all candidates would take longer than the search. The
 * server could combine the scores itself, but only within each of its lists. A search by words alone has a single list
 * in the order of its hits, so its first request reads the payloads too.
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
  const ranked = Math.min(MAX_RANKED, RANKED_LEAST + RANKED_PER_HIT * limit);
  const nearest = vector && dense && { query: [...vector.values], using: DENSE, params: RESCORED };
  const matching = { filter: { ...filter, min_should: matchOf(keywords) }, limit: ranked };
  const wording = { query: sparseOfKeywords(keywords), using: SPARSE, ...matching };
  if (!nearest) {
    if (keywords.length === 0 || mode === "vector") return [];
    // One list, in the order of the hits.
    const few = Math.min(MAX_RANKED, limit + EQUALS);
    const asked = [{ ...wording, limit: few, with_payload: CARRIED }];
    const [found = []] = await connection.run(client => client.query(collection, asked));
    return bestResults(mode, found.map(wordHit), limit);
  }
  const near = mode !== "keyword" ? [{ ...nearest, filter, limit: ranked }] : [];
  const nearMatching = near.length > 0 && keywords.length > 0 ? [{ ...nearest, ...matching } as Query] : [];
  const searches: Query[] = [...near, ...nearMatching];
  const byMeaning = searches.length;
  if (keywords.length > 0 && mode !== "vector") searches.push(wording);
  if (searches.length === 0) return [];
  const query = (asked: Query[]) => connection.run(client => client.query(collection, asked));
  const lists = await query(searches);

  const cosines = scoresOf(lists.slice(0, byMeaning).flat());
  const matched = new Set(lists.slice(near.length).flatMap(idsOf));
  const weights = scoresOf(lists.slice(byMeaning).flat());
  const apart = [...weights.keys()].filter(id => !cosines.has(id));
  // The list of nearest matches is full. Its points are nearer than these, and outrank every point without a vector.
  const outranked = nearMatching.length > 0 && isFull(lists[near.length] ?? [], ranked);
  if (apart.length > 0 && !outranked) {
    const compared = chunked(apart, COMPARED).map(has_id => {
      return { ...nearest, filter: { must: [...filter.must, { has_id }] }, limit: has_id.length };
    });
    for (const [id, score] of scoresOf((await query(compared)).flat())) cosines.set(id, score);
  }
  const candidates = [...new Set(lists.flatMap(idsOf))].map((id): Scored => {
    const cosine = cosines.get(id);
    return {
      id,
      cosine: cosine === undefined ? null : Math.max(-1, Math.min(1, cosine)),
      keyword: matched.has(id),
      bm25: weights.get(id) ?? 0,
    };
  });
  return bestResults(mode, await withPayloads(connection, collection, bestResults(mode, candidates, limit)), limit);
}

/** A hit of a search that uses only words. */
function wordHit({ score, payload }: FoundPoint): SearchHit {
  const { id, payload: carried } = payload as PointPayload;
  return { id, cosine: null, keyword: true, bm25: score, payload: carried };
}

/** Adds the ids and payloads of entries to the points. A point that was removed meanwhile is left out. */
async function withPayloads(
  connection: QdrantConnection,
  collection: string,
  found: readonly Scored[],
): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const points = await connection.run(client => client.points(collection, ids, { with_payload: CARRIED }));
  const payloads = new Map(points.map(({ id, payload }) => [id, payload as PointPayload]));
  return found.flatMap(scored => {
    const held = payloads.get(scored.id);
    return held ? [{ ...scored, id: held.id, payload: held.payload }] : [];
  });
}

/** The condition of `keywordsMatch`, as a filter. */
const matchOf = (keywords: readonly string[]) => ({
  conditions: keywords.map(word => ({ key: "words", match: { value: word } })),
  min_count: requiredMatches(keywords.length),
});

const isFull = (points: readonly FoundPoint[], limit: number): boolean =>
  points.length === limit && points.every(({ score }) => score > 0);

const idsOf = (points: readonly FoundPoint[]): string[] => points.map(({ id }) => id);

const scoresOf = (points: readonly FoundPoint[]): Map<string, number> =>
  new Map(points.map(({ id, score }) => [id, score]));

const chunked = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) => items.slice(place * size, (place + 1) * size));
