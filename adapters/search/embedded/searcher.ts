import type { DatabaseSync } from "node:sqlite";
import type { Payload } from "../../../core/search/payload.ts";
import { bestResults, type Scored } from "../../../core/search/score.ts";
import { Statements } from "../../store/sqlite/statements.ts";
import type { SearchResult } from "../port.ts";
import type { Lookups } from "./lookups.ts";
import { filterExpression } from "./match-expression.ts";
import { Partitions } from "./partition.ts";
import type { Questions } from "./protocol.ts";
import { Comparer, ESTIMATES_PER_EXACT, EXACT_LEAST, nearest } from "./vector-matches.ts";
import { VectorCache } from "./vector-cache.ts";
import { matchingNumbers, matchWords, type WordMatches } from "./word-matches.ts";

type Asks = Questions["search"]["asks"];

/** More entries than a space is meant to hold. */
const MOST_ENTRIES = 10_000_000;
/**
 * The number of entries to rank by words for each requested hit. It exceeds the hits, because some entries contain too
 * few keywords.
 */
const RANKED_LEAST = 200;
const RANKED_PER_HIT = 4;
/** About 4,000 vectors of the built-in model. */
const VECTOR_BYTES = 16 * 1_048_576;

/** Answers searches over one connection to the file. */
export class Searcher {
  readonly #statements: Statements;
  readonly #lookups: Lookups;
  readonly #partitions: Partitions;
  readonly #vectors = new VectorCache(VECTOR_BYTES);

  constructor(database: DatabaseSync, lookups: Lookups, cacheBytes: number) {
    this.#statements = new Statements(database);
    this.#lookups = lookups;
    this.#partitions = new Partitions(cacheBytes);
  }

  search(asks: Asks): SearchResult {
    const { kind, space, keywords, vector, clauses, limit, mode } = asks;
    const filter = clauses.length > 0 ? filterExpression(space, clauses) : null;
    if (clauses.length > 0 && filter === null) return { hits: [], degraded: false };
    const words: WordMatches =
      keywords.length > 0
        ? matchWords(this.#statements, space, keywords, filter, RANKED_LEAST + RANKED_PER_HIT * limit)
        : { matching: new Set(), weights: new Map() };

    const embedder = vector && { id: vector.embedder, dimension: vector.values.length };
    const generation = embedder && this.#lookups.generation(kind, embedder);
    const comparer = generation && new Comparer(this.#statements, this.#vectors, vector.values, generation.g);
    const cosines =
      comparer && mode !== "keyword"
        ? this.#nearest(asks, generation.g, comparer, filter, words.matching)
        : new Map<number, number>();

    const numbers = new Set([...cosines.keys(), ...words.weights.keys()]);
    const found = [...numbers].map((n): Scored => {
      const cosine = cosines.get(n) ?? comparer?.ofEntry(n) ?? null;
      return { id: String(n), cosine, keyword: words.matching.has(n), bm25: words.weights.get(n) ?? 0 };
    });
    const hits = bestResults(mode, found, limit).flatMap(hit => this.#withEntry(asks, hit));
    return { hits, degraded: vector !== null && generation?.active !== true };
  }

  #nearest(
    { space, vector, limit }: Asks,
    g: number,
    comparer: Comparer,
    filter: string | null,
    preferred: ReadonlySet<number>,
  ): Map<number, number> {
    const allowed = filter === null ? null : matchingNumbers(this.#statements, filter, MOST_ENTRIES);
    const exactly = (all: readonly number[]) => {
      const compared = all.map(n => [n, comparer.ofEntry(n)] as const);
      return new Map(compared.filter((pair): pair is [number, number] => pair[1] !== null));
    };
    if (allowed && allowed.length <= EXACT_LEAST) return exactly(allowed);
    const values = vector?.values ?? new Float32Array();
    const partition = this.#partitions.get(g, space, values.length, this.#statements);
    if (allowed && partition.count > allowed.length * ESTIMATES_PER_EXACT) return exactly(allowed);
    return nearest(partition, comparer, values, {
      allowed: allowed && new Set(allowed),
      preferred,
      limit,
      refresh: () => partition.refresh(this.#statements),
    });
  }

  #withEntry({ space }: Asks, hit: Scored): SearchResult["hits"] {
    const sql = `SELECT id, payload FROM "search:entries" WHERE n = ? AND space = ?`;
    const row = this.#statements.get(sql).get(Number(hit.id), space) as unknown as [string, string] | undefined;
    return row ? [{ ...hit, id: row[0], payload: JSON.parse(row[1]) as Payload }] : [];
  }
}
