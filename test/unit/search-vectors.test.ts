import fc from "fast-check";
import { codeBytes, encode, estimate, HEAD_BYTES, tableOf } from "../../core/search/quantise.ts";
import { rotate } from "../../core/search/rotate.ts";
import { dot, unit } from "../../core/search/vectors.ts";
import { seededRandom } from "../support/random.ts";

const vectors = fc
  .integer({ min: 1, max: 70 })
  .chain(length => {
    const values = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: length, maxLength: length });
    return fc.tuple(values, values);
  })
  .map(([a, b]) => [unit(a), unit(b)] as const)
  .filter((pair): pair is [Float32Array, Float32Array] => pair[0] !== null && pair[1] !== null);

test("gives a unit vector length one, and a zero vector no unit vector", () => {
  fc.assert(fc.property(vectors, ([a]) => expect(dot(a, a)).toBeCloseTo(1, 4)));
  for (const none of [[], [0, 0], [Number.NaN, 1], [Infinity, 1]]) expect(unit(none)).toBeNull();
});

test("keeps lengths and angles in a rotation, which is the same every time", () => {
  fc.assert(
    fc.property(vectors, ([a, b]) => {
      expect(dot(rotate(a), rotate(b))).toBeCloseTo(dot(a, b), 4);
      expect(rotate(a)).toEqual(rotate(a));
    }),
  );
});

/** One after the other: the estimates of the cosines with each of these. */
function estimates(question: Float32Array, all: Float32Array[]): Float32Array {
  const bytes = codeBytes(question.length) - HEAD_BYTES;
  const codes = new Uint8Array(all.length * bytes);
  const corrections = new Float32Array(all.length);
  for (const [place, vector] of all.entries()) {
    const code = encode(vector);
    codes.set(code.subarray(HEAD_BYTES), place * bytes);
    corrections[place] = new DataView(code.buffer).getFloat32(0, true);
  }
  const out = new Float32Array(all.length + 1);
  estimate(tableOf(question), codes, corrections, all.length, out, 1);
  return out.subarray(1);
}

test("estimates a vector's similarity to itself exactly", () => {
  fc.assert(fc.property(vectors, ([a]) => expect(estimates(a, [a])[0]).toBeCloseTo(1, 4)));
});

test.each([
  ["spread evenly", 384, (random: () => number) => random() + random() + random() - 1.5],
  ["of few dimensions", 768, (random: () => number, place: number) => (place % 40 === 0 ? random() - 0.5 : 0)],
  ["of a dimension that is not a power of two", 100, (random: () => number) => random() - 0.5],
])("estimates vectors %s without bias and closely", (_, dimension, value) => {
  const random = seededRandom(3);
  const make = () => unit(Array.from({ length: dimension }, (_each, place) => value(random, place))) as Float32Array;
  const question = make();
  const all = Array.from({ length: 400 }, make);
  const errors = [...estimates(question, all)].map((of, place) => of - dot(question, all[place] as Float32Array));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const spread = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  expect(Math.abs(mean)).toBeLessThan(0.2 / Math.sqrt(dimension));
  expect(spread).toBeLessThan(0.5 / Math.sqrt(dimension));
});
