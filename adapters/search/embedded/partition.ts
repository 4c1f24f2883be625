import { codeBytes, estimate, HEAD_BYTES } from "../../../core/search/quantise.ts";
import type { Statements } from "../../store/sqlite/statements.ts";

const SEGMENT = 4096;
/** The first segment starts small and grows, because most spaces are small. */
const FIRST = 64;

interface Segment {
  codes: Uint8Array;
  corrections: Float32Array;
  /** The row numbers of the vectors, and of their entries. */
  vs: Float64Array;
  ns: Float64Array;
  count: number;
}

/** The partition is read again after this number of vectors turned out to be removed. */
const MAX_GONE = 2000;

/**
 * The codes of one space's vectors of one model, in memory. Each search first reads the vectors written since the last
 * search. A removed vector is noticed only when it is looked up.
 */
export class Partition {
  readonly #g: number;
  readonly #space: string;
  readonly #bytes: number;
  #segments: Segment[] = [];
  #lastV = 0;
  #gone = 0;

  constructor(g: number, space: string, dimension: number) {
    this.#g = g;
    this.#space = space;
    this.#bytes = codeBytes(dimension) - HEAD_BYTES;
  }

  /** The size in bytes. */
  get size(): number {
    return this.#segments.reduce((sum, { vs }) => sum + vs.length * (this.#bytes + 20), 0);
  }

  get count(): number {
    const last = this.#segments.at(-1);
    return last ? (this.#segments.length - 1) * SEGMENT + last.count : 0;
  }

  refresh(statements: Statements): void {
    if (this.#gone > MAX_GONE) this.clear();
    const sql = `SELECT v, n, code FROM "search:vectors" WHERE g = ? AND space = ? AND v > ? ORDER BY v`;
    const rows = statements.get(sql).iterate(this.#g, this.#space, this.#lastV);
    for (const row of rows as unknown as Iterable<[number, number, Uint8Array]>) this.#add(...row);
  }

  /** Estimates of all cosines, by place. NaN for a removed vector. */
  estimates(table: Float32Array): Float32Array {
    const out = new Float32Array(this.count);
    for (const [place, { codes, corrections, count }] of this.#segments.entries())
      estimate(table, codes, corrections, count, out, place * SEGMENT);
    return out;
  }

  v(place: number): number {
    return this.#segmentOf(place).vs[place % SEGMENT] as number;
  }

  n(place: number): number {
    return this.#segmentOf(place).ns[place % SEGMENT] as number;
  }

  forget(place: number): void {
    this.#segmentOf(place).corrections[place % SEGMENT] = Number.NaN;
    this.#gone++;
  }

  #add(v: number, n: number, code: Uint8Array): void {
    let segment = this.#segments.at(-1);
    if (!segment || segment.count === SEGMENT) this.#segments.push((segment = this.#newSegment(FIRST)));
    if (segment.count === segment.vs.length) this.#segments[this.#segments.length - 1] = segment = this.#grown(segment);
    const at = segment.count++;
    segment.codes.set(code.subarray(HEAD_BYTES), at * this.#bytes);
    segment.corrections[at] = new DataView(code.buffer, code.byteOffset).getFloat32(0, true);
    segment.vs[at] = v;
    segment.ns[at] = n;
    this.#lastV = v;
  }

  #newSegment(room: number): Segment {
    return {
      codes: new Uint8Array(room * this.#bytes),
      corrections: new Float32Array(room),
      vs: new Float64Array(room),
      ns: new Float64Array(room),
      count: 0,
    };
  }

  #grown({ codes, corrections, vs, ns, count }: Segment): Segment {
    const larger = this.#newSegment(Math.min(SEGMENT, count * 4));
    larger.codes.set(codes);
    larger.corrections.set(corrections);
    larger.vs.set(vs);
    larger.ns.set(ns);
    larger.count = count;
    return larger;
  }

  #segmentOf(place: number): Segment {
    return this.#segments[Math.floor(place / SEGMENT)] as Segment;
  }

  /** Makes the next refresh read everything again. */
  clear(): void {
    this.#segments = [];
    this.#lastV = 0;
    this.#gone = 0;
  }
}

/** The most recently used partitions, within a limit of bytes. The partition in use is kept regardless of its size. */
export class Partitions {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, Partition>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(g: number, space: string, dimension: number, statements: Statements): Partition {
    const key = `${g}:${space}`;
    const partition = this.#kept.get(key) ?? new Partition(g, space, dimension);
    this.#kept.delete(key);
    this.#kept.set(key, partition);
    partition.refresh(statements);
    let bytes = 0;
    for (const { size } of this.#kept.values()) bytes += size;
    for (const [other, { size }] of this.#kept) {
      if (bytes <= this.#maxBytes || other === key) break;
      this.#kept.delete(other);
      bytes -= size;
    }
    return partition;
  }
}
