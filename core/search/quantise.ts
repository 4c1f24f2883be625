import { rotate } from "./rotate.ts";

// Two bits per dimension. The coordinates of a rotated vector are close to normally distributed, and Lloyd and Max give
// the best four levels for that (Max, "Quantizing for minimum distortion", 1960). The vector of the question stays
// exact. A correction for the quantisation loss makes each vector's estimate unbiased (Gao and Long, "RaBitQ", SIGMOD
// 2024).

const LEVELS = [-1.5104, -0.4528, 0.4528, 1.5104] as const;
const EDGE = 0.9816;
/** The correction, a float, precedes the levels. */
export const HEAD_BYTES = 4;

export const codeBytes = (dimension: number): number => HEAD_BYTES + Math.ceil(dimension / 4);

/** Encodes a unit vector: the correction (float32, little endian), then four dimensions per byte. */
export function encode(vector: Float32Array): Uint8Array {
  const turned = rotate(vector);
  const { length } = turned;
  const code = new Uint8Array(codeBytes(length));
  const spread = Math.sqrt(length);
  let kept = 0;
  for (let place = 0; place < length; place++) {
    const value = (turned[place] as number) * spread;
    const level = value < 0 ? (value < -EDGE ? 0 : 1) : value < EDGE ? 2 : 3;
    const byte = HEAD_BYTES + (place >> 2);
    code[byte] = (code[byte] as number) | (level << ((place & 3) * 2));
    kept += (turned[place] as number) * LEVELS[level];
  }
  new DataView(code.buffer).setFloat32(0, 1 / kept, true);
  return code;
}

/** For each byte of a code and each value of that byte, its contribution to the dot product with this unit vector. */
export function tableOf(vector: Float32Array): Float32Array {
  const turned = rotate(vector);
  const bytes = Math.ceil(turned.length / 4);
  const table = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let pair = 0; pair < 4; pair++)
        sum += (turned[byte * 4 + pair] ?? 0) * (LEVELS[(value >> (pair * 2)) & 3] as number);
      table[byte * 256 + value] = sum;
    }
  return table;
}

/**
 * Writes the estimated cosines of `count` vectors into `out` from `at`. `codes` are their levels without the heads, one
 * after another, and `corrections` are their heads.
 */
export function estimate(
  table: Float32Array,
  codes: Uint8Array,
  corrections: Float32Array,
  count: number,
  out: Float32Array,
  at: number,
): void {
  const bytes = table.length >> 8;
  const even = bytes & ~3;
  let place = 0;
  for (let n = 0; n < count; n++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let byte = 0;
    for (; byte < even; byte += 4, place += 4) {
      const row = byte << 8;
      s0 += table[row + (codes[place] as number)] as number;
      s1 += table[row + 256 + (codes[place + 1] as number)] as number;
      s2 += table[row + 512 + (codes[place + 2] as number)] as number;
      s3 += table[row + 768 + (codes[place + 3] as number)] as number;
    }
    for (; byte < bytes; byte++, place++) s0 += table[(byte << 8) + (codes[place] as number)] as number;
    out[at + n] = (s0 + s1 + s2 + s3) * (corrections[n] as number);
  }
}
