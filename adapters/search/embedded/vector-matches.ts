import { tableOf } from "../../../core/search/quantise.ts";
import { Top } from "../../../core/search/top.ts";
import { dot } from "../../../core/search/vectors.ts";
import type { Statements } from "../../store/sqlite/statements.ts";
import type { Partition } from "./partition.ts";

/**
 * Up to this number, entries are compared exactly one by one. Beyond it, only while estimating a whole space would take
 * longer.
 */
export const EXACT_LEAST = 500;
export const ESTIMATES_PER_EXACT = 25;
/** Estimates only choose the candidates for exact comparison. By measurement, this number makes up for their error. */
const CANDIDATES_LEAST = 200;
const CANDIDATES_PER_HIT = 10;
/** How often removed candidates are replaced by others. */
const ROUNDS = 5;

/** Compares with vectors of model `g`, exactly. */
export class Comparer {
  readonly #statements: Statements;
  readonly #vector: Float32Array;
  readonly #g: number;

  constructor(statements: Statements, vector: Float32Array, g: number) {
    this.#statements = statements;
    this.#vector = vector;
    this.#g = g;
  }

  /** Null when the entry has no vector. */
  ofEntry(n: number): number | null {
    return this.#cosine(`SELECT vector FROM "search:vectors" WHERE n = ? AND g = ?`, n, this.#g);
  }

  /** Null when the vector is gone. */
  ofVector(v: number): number | null {
    return this.#cosine(`SELECT vector FROM "search:vectors" WHERE v = ?`, v);
  }

  #cosine(sql: string, ...params: number[]): number | null {
    const row = this.#statements.get(sql).get(...params) as unknown as [Uint8Array] | undefined;
    if (!row) return null;
    const [bytes] = row;
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const cosine = dot(this.#vector, new Float32Array(aligned.buffer, aligned.byteOffset, this.#vector.length));
    return Math.max(-1, Math.min(1, cosine));
  }
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
    for (const place of chosen) {
      const cosine = comparer.ofVector(partition.v(place));
      if (cosine !== null) cosines.set(partition.n(place), cosine);
      else {
        partition.forget(place);
        gone++;
      }
    }
    if (gone === 0) break;
    // With this many removed vectors, finding them one after another would take longer than reading the partition anew.
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
