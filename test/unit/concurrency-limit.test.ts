import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../contracts/errors.ts";
import { ConcurrencyLimit } from "../../service-kit/concurrency-limit.ts";

/** Whether it is so within some turns of the event loop. */
async function soon(isSo: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 100 && !isSo(); turn++) await nextTurn();
  return isSo();
}

test("runs a limited number at the same time, and the rest in order", async () => {
  const reads = new ConcurrencyLimit(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const all = [0, 1, 2, 3].map(n =>
    reads.run(async () => {
      begun.push(n);
      await new Promise<void>(resolve => ends.push(resolve));
      return n;
    }),
  );
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  expect(await soon(() => begun.length === 3)).toBe(true);
  ends[0]?.();
  expect(await soon(() => begun.length === 4)).toBe(true);
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test("does not block the event loop with a queue of synchronous work", async () => {
  const reads = new ConcurrencyLimit(1);
  let done = 0;
  const all = Array.from({ length: 50 }, () => reads.run(() => Promise.resolve(done++)));
  await nextTurn();
  expect(done).toBeLessThan(50);
  await Promise.all(all);
});

test("frees the place of failed work, and rejects work beyond the limit", async () => {
  const reads = new ConcurrencyLimit(1);
  await expect(reads.run(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  await nextTurn();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = reads.run(() => promise);
  const others = Array.from({ length: 2_000 }, () => reads.run(() => Promise.resolve()));
  await expect(reads.run(() => Promise.resolve())).rejects.toEqual(new AppError("unavailable"));
  resolve();
  await Promise.all([first, ...others]);
});
