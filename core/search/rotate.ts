// A random rotation that costs n log n: signs flipped at random, then a Walsh-Hadamard transform, three rounds. It spreads what a
// vector says evenly over its dimensions, whatever the model put where, and leaves lengths and angles as they are. After Ailon
// and Chazelle, "The fast Johnson-Lindenstrauss transform" (2009).

const ROUNDS = 3;

const signsOf = new Map<number, Float32Array>();

/** The same rotation for the same dimension, for ever: what is stored was turned by it. */
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

/** A rotated copy. Of a dimension that is no power of two the first and the last power's worth are turned, one after the other. */
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

/** In place; keeps the length of the vector. */
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
