import { Schema } from "../../adapters/store/schema.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import type { Layout } from "../../adapters/store/layout.ts";
import type { Driver, WriteOp, WriteOutcome } from "../../adapters/store/driver.ts";
import type { Condition } from "../../adapters/store/filter.ts";
import { StoreTimeoutError } from "../../adapters/store/errors.ts";
import { keyOf, SharedReads } from "../../adapters/store/shared-reads.ts";

const layoutOf = (name: string): Layout =>
  collectionOfSchema({ name, schema: new Schema({ _id: String }), tenant: false }).layout;

describe("shared reads", () => {
  const [layout, other] = [layoutOf("things"), layoutOf("others")];
  const anything = (): Condition => ({ op: "and", of: [] });
  const op = (of: Layout): WriteOp => ({ kind: "remove", layout: of, where: anything(), limit: null });
  let epoch: number | null;
  let reads: number;
  let found: () => Promise<Record<string, unknown> | null>;
  let answers: PromiseWithResolvers<WriteOutcome[]>[];
  let shared: SharedReads;
  let driver: Driver;

  beforeEach(() => {
    epoch = 1;
    reads = 0;
    found = () => Promise.resolve({ n: ++reads });
    answers = [];
    const fake: Partial<Driver> = {
      embedded: { path: "", prepare: () => Promise.resolve() },
      epoch: () => epoch,
      get: () => found(),
      write: () => {
        const answer = Promise.withResolvers<WriteOutcome[]>();
        answers.push(answer);
        return answer.promise;
      },
    };
    shared = new SharedReads(fake as Driver);
    driver = shared.watched();
  });
  const read = (of = layout, key = "k") => shared.get(of, key, anything);
  /** Whether it comes from memory the second time. */
  const isKept = async (): Promise<boolean> => (await read()) === (await read());

  test("are cached, unless another process may write", async () => {
    expect(await isKept()).toBe(true);
    epoch = null;
    expect(await isKept()).toBe(false);
    epoch = 1;
    expect(await read()).toEqual({ n: 4 });
    epoch = 2;
    expect(await read()).toEqual({ n: 5 });
    expect(await isKept()).toBe(true);
  });

  test("are not cached during a write to the collection, nor from before it", async () => {
    const before = await read();
    const writing = driver.write([op(layout)]);
    expect(await isKept()).toBe(false);
    expect(await read(other)).toBe(await read(other));
    answers[0]?.resolve([]);
    await writing;
    expect(await read()).not.toBe(before);
    expect(await isKept()).toBe(true);
  });

  test("are not cached if a write started during the read", async () => {
    const answer = Promise.withResolvers<Record<string, unknown>>();
    const counted = found;
    found = () => answer.promise;
    const reading = read();
    found = counted;
    const writing = driver.write([op(layout)]);
    answers[0]?.resolve([]);
    await writing;
    answer.resolve({ old: true });
    await reading;
    expect(await read()).toEqual({ n: 1 });
  });

  test("are not cached after a write without an answer, until a later one has an answer", async () => {
    const lost = driver.write([op(layout)]);
    answers[0]?.reject(new StoreTimeoutError());
    await expect(lost).rejects.toThrow(StoreTimeoutError);
    expect(await isKept()).toBe(false);
    const failed = driver.write([op(other)]);
    answers[1]?.reject(new StoreTimeoutError());
    await expect(failed).rejects.toThrow(StoreTimeoutError);
    expect(await isKept()).toBe(false);
    const later = driver.write([op(other)]);
    answers[2]?.resolve([]);
    await later;
    expect(await isKept()).toBe(true);
  });

  test("are limited by number and by size", async () => {
    const counted = found;
    await read();
    found = () => Promise.resolve({ text: "x".repeat(5_000_000) });
    await read(layout, "big");
    found = counted;
    expect(await read()).toEqual({ n: 2 });
    found = () => Promise.resolve(null);
    for (let n = 0; n < 10_001; n++) await read(layout, `${n}`);
    found = counted;
    expect(await read()).toEqual({ n: 3 });
  });

  test("cannot be changed by one caller for the others", async () => {
    const document = await read();
    expect(() => Object.assign(document ?? {}, { n: 0 })).toThrow(TypeError);
  });

  test("are cached only for filters of texts and nulls, and are never confused", () => {
    expect(keyOf("w", { a: { $gt: "b" } })).toBeNull();
    expect(keyOf("w", { a: undefined })).toBeNull();
    expect(keyOf("w", { a: 1 })).toBeNull();
    const filters: [string | null, object][] = [
      [null, { a: "b" }],
      ["w", { a: "b" }],
      ["w", { a: "b", c: "d" }],
      ["w", { a: "b1:c1:d" }],
      ["w", { a: null }],
      ["w", { a: "-" }],
      ["w", { c: "d", a: "b" }],
      ["w1:a", { b: null }],
    ];
    expect(new Set(filters.map(([workspaceId, filter]) => keyOf(workspaceId, filter))).size).toBe(filters.length);
  });
});
