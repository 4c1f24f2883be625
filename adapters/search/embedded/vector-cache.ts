/**
 * The most recently used vectors by row number, within a limit of bytes. Reading one from the file takes about ten
 * times as long as comparing it. Row numbers never repeat, so a cached vector never becomes wrong. The cache does not
 * know whether its row still exists.
 */
export class VectorCache {
  readonly #maxBytes: number;
  readonly #kept = new Map<number, Float32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `read` loads a vector that is not cached. It returns null if the vector is gone. */
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
