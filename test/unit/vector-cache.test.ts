import { VectorCache } from "../../adapters/search/embedded/vector-cache.ts";

const vector = (value: number) => new Float32Array([value, 0]);

test("vectors are read once, and those that were not used for longest are given up first", () => {
  const cache = new VectorCache(3 * vector(0).byteLength);
  const read: number[] = [];
  const get = (v: number) =>
    cache.get(v, n => {
      read.push(n);
      return vector(n);
    });
  for (const v of [1, 2, 3, 1, 4, 1, 2]) expect(get(v)).toEqual(vector(v));
  expect(read).toEqual([1, 2, 3, 4, 2]);
});

test("a vector that is gone is asked for again", () => {
  const cache = new VectorCache(1_000);
  expect(cache.get(1, () => null)).toBeNull();
  expect(cache.get(1, () => vector(1))).toEqual(vector(1));
});
