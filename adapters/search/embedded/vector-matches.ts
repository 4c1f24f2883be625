import { tableOf } from "../../../core/search/quantise.ts";
import { Top } from "../../../core/search/top.ts";
import { dot } from "../../../core/search/vectors.ts";
import type { Statements } from "../../store/sqlite/statements.ts";
import type { Partition } from "./partition.ts";
import type { VectorCache } from "./vector-cache.ts";

/**
 * Up to this number, entries are compared exactly one by one. Beyond it, only if estimating the whole space would take
 * longer.
 */
export const EXACT_LEAST = 500;
export const ESTIMATES_PER_EXACT = 25;
/**
 * Estimates only choose candidates for exact comparison. According to measurements, this number compensates for their
 * error.
 */
const CANDIDATES_LEAST = 200;
const CANDIDATES_PER_HIT = 10;
/** How often removed candidates are replaced. */
const ROUNDS = 5;

/** Compares exactly with vectors of model `g`. */
export class Comparer {
  readonly #statements: Statements;
  readonly #cache: VectorCache;
  readonly #vector: Float32Array;
  readonly #g: number;

  constructor(statements: Statements, cache: VectorCache, vector: Float32Array, g: number) {
    this.#statements = statements;
    this.#cache = cache;
    this.#vector = vector;
    this.#g = g;
  }

  /** Null if the entry has no vector. */
  ofEntry(n: number): number | null {
    const sql = `SELECT v FROM "search:vectors" WHERE n = ? AND g = ?`;
    const row = this.#statements.get(sql).get(n, this.#g) as unknown as [number] | undefined;
    return row ? this.#cosine(row[0]) : null;
  }

  /** Cosines by row number. Removed vectors are left out. */
  ofVectors(vs: readonly number[]): Map<number, number> {
    // One statement for all rows. It reads no vectors.
    const sql = `SELECT json_group_array(v) FROM "search:vectors" WHERE v IN (SELECT value FROM json_each(?))`;
    const [there] = this.#statements.get(sql).get(JSON.stringify(vs)) as unknown as [string];
    const cosines = new Map<number, number>();
    for (const v of JSON.parse(there) as number[]) {
      const cosine = this.#cosine(v);
      if (cosine !== null) cosines.set(v, cosine);
    }
    return cosines;
  }

  #cosine(v: number): number | null {
    const vector = this.#cache.get(v, this.#read);
    return vector && Math.max(-1, Math.min(1, dot(this.#vector, vector)));
  }

  readonly #read = (v: number): Float32Array | null => {
    const sql = `SELECT vector FROM "search:vectors" WHERE v = ?`;
    const row = this.#statements.get(sql).get(v) as unknown as [Uint8Array] | undefined;
    if (!row) return null;
    const [bytes] = row;
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    return new Float32Array(aligned.buffer, aligned.byteOffset, this.#vector.length);
  };
}

/**
 * Cosines by entry number: of the nearest entries, and of the nearest among `preferred`. Estimates over the whole
 * partition choose the candidates, which are then compared exactly.
 */
export function nearest(
  partition: Partition,
  comparer: Comparer,
  vector: Float32Array,
  options: { allowed: ReadonlySet<number> | null; preferred: ReadonlySet<number>; limit: number; refresh: () => void },
): Map<number, number> {
  const { allowed, preferred, limit } = options;
  const table = tableOf(vector);
  const size = CANDIDATES_LEAST + CANDIDATES_PER_HIT * limit;
  let cosines = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    cosines = new Map();
    const chosen = choose(partition, partition.estimates(table), allowed, preferred, size);
    let gone = 0;
    const found = comparer.ofVectors(Array.from(chosen, place => partition.v(place)));
    for (const place of chosen) {
      const cosine = found.get(partition.v(place));
      if (cosine !== undefined) cosines.set(partition.n(place), cosine);
      else {
        partition.forget(place);
        gone++;
      }
    }
    if (gone === 0) break;
    // With this many removed vectors, finding them one by one would take longer than reading the partition again.
    if (gone > chosen.size / 4) {
      partition.clear();
      options.refresh();
    }
  }
  return cosines;
}

function choose(
  partition: Partition,
  estimates: Float32Array,
  allowed: ReadonlySet<number> | null,
  preferred: ReadonlySet<number>,
  size: number,
): Set<number> {
  const overall = new Top(size);
  const among = new Top(size);
  for (let place = 0; place < estimates.length; place++) {
    const value = estimates[place] as number;
    if (Number.isNaN(value)) continue;
    if (allowed !== null && !allowed.has(partition.n(place))) continue;
    overall.offer(value, place);
    if (preferred.size > 0 && preferred.has(partition.n(place))) among.offer(value, place);
  }
  return new Set([...overall.places(), ...among.places()]);
}
