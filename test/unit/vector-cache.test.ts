import { VectorCache } from "../../adapters/search/embedded/vector-cache.ts";

const vector = (value: number) => new Float32Array([value, 0]);

test("reads vectors once, and drops the least recently used ones first", () => {
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

test("reads a dropped vector again", () => {
  const cache = new VectorCache(1_000);
  expect(cache.get(1, () => null)).toBeNull();
  expect(cache.get(1, () => vector(1))).toEqual(vector(1));
});
