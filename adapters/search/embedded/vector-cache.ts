/**
 * Vectors in memory by their row numbers, the most recently used within a number of bytes. To read one from the file
 * takes about ten times as long as to compare it. Row numbers never repeat, so a kept vector never becomes wrong;
 * whether its row is still there is not known here.
 */
export class VectorCache {
  readonly #maxBytes: number;
  readonly #kept = new Map<number, Float32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `read` gives a vector that is not kept, null when it is gone. */
  get(v: number, read: (v: number) => Float32Array | null): Float32Array | null {
    const known = this.#kept.get(v);
    const vector = known ?? read(v);
    if (vector === null) return null;
    if (known) this.#kept.delete(v);
    else this.#bytes += vector.byteLength;
    this.#kept.set(v, vector);
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
    return vector;
  }
}
