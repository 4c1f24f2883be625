/** The vector scaled to length 1, or null when it is all zeros or contains a value that is not a number. */
export function unit(values: ArrayLike<number>): Float32Array | null {
  // Scales by the largest value first, so that no square overflows or underflows.
  let largest = 0;
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number;
    if (value > largest) largest = value;
    else if (-value > largest) largest = -value;
  }
  let sum = 0;
  for (let place = 0; place < values.length; place++) {
    const share = (values[place] as number) / largest;
    sum += share * share;
  }
  // All values are zero, or one is infinite or not a number.
  if (!(sum > 0) || !Number.isFinite(largest)) return null;
  const length = Math.sqrt(sum);
  const out = new Float32Array(values.length);
  for (let place = 0; place < out.length; place++) out[place] = (values[place] as number) / largest / length;
  return out;
}

/**
 * The dot product of two vectors of the same length; the cosine for unit vectors. Four partial sums let the processor
 * work in parallel.
 */
export function dot(a: Float32Array, b: Float32Array): number {
  const { length } = a;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let place = 0;
  for (; place + 3 < length; place += 4) {
    s0 += (a[place] as number) * (b[place] as number);
    s1 += (a[place + 1] as number) * (b[place + 1] as number);
    s2 += (a[place + 2] as number) * (b[place + 2] as number);
    s3 += (a[place + 3] as number) * (b[place + 3] as number);
  }
  for (; place < length; place++) s0 += (a[place] as number) * (b[place] as number);
  return s0 + s1 + s2 + s3;
}
