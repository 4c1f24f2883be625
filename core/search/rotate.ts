// A random rotation in n log n time: three rounds of random sign flips and a Walsh-Hadamard transform. It spreads the
// information of a vector evenly over its dimensions, however the model placed it, and keeps lengths and angles. After
// Ailon and Chazelle, "The fast Johnson-Lindenstrauss transform" (2009).

const ROUNDS = 3;

const signsOf = new Map<number, Float32Array>();

/** The rotation of a dimension must never change, because stored vectors were rotated with it. */
function signs(dimension: number): Float32Array {
  let known = signsOf.get(dimension);
  if (!known) {
    known = new Float32Array(dimension * ROUNDS);
    // xorshift32
    let state = 0x9e3779b9;
    for (let place = 0; place < known.length; place++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      known[place] = state & 1 ? 1 : -1;
    }
    signsOf.set(dimension, known);
  }
  return known;
}

/**
 * A rotated copy. If the dimension is not a power of two, the rotation turns the first and then the last part of the
 * largest such size.
 */
export function rotate(vector: Float32Array): Float32Array {
  const out = vector.slice();
  const { length } = out;
  const flips = signs(length);
  const size = 2 ** Math.floor(Math.log2(length));
  for (let round = 0; round < ROUNDS; round++) {
    for (let place = 0; place < length; place++)
      out[place] = (out[place] as number) * (flips[round * length + place] as number);
    transform(out, 0, size);
    if (size < length) transform(out, length - size, size);
  }
  return out;
}

/** Works in place and keeps the length of the vector. */
function transform(values: Float32Array, start: number, size: number): void {
  for (let half = 1; half < size; half *= 2)
    for (let block = start; block < start + size; block += 2 * half)
      for (let place = block; place < block + half; place++) {
        const a = values[place] as number;
        const b = values[place + half] as number;
        values[place] = a + b;
        values[place + half] = a - b;
      }
  const scale = 1 / Math.sqrt(size);
  for (let place = start; place < start + size; place++) values[place] = (values[place] as number) * scale;
}
