import { setImmediate as nextTurn } from "node:timers/promises";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { ReadsOfATurn } from "../../adapters/store/reads-of-a-turn.ts";
import { Schema } from "../../adapters/store/schema.ts";

const layoutOf = (name: string) =>
  collectionOfSchema({ name, schema: new Schema({ _id: String }), tenant: false }).layout;

describe("the reads of a turn", () => {
  const [layout, other] = [layoutOf("things"), layoutOf("others")];
  let sent: string[];
  let reads: ReadsOfATurn;
  beforeEach(() => {
    sent = [];
    reads = new ReadsOfATurn();
  });
  const ask = (key: string, of = layout) =>
    reads.get(of, key, () => Promise.resolve({ key, n: sent.push(`${of.name} ${key}`) }));

  test("are one for each document", async () => {
    const [first, same, b, elsewhere] = await Promise.all([ask("a"), ask("a"), ask("b"), ask("a", other)]);
    expect(same).toBe(first);
    expect([b, elsewhere]).toEqual([expect.objectContaining({ key: "b" }), expect.objectContaining({ key: "a" })]);
    expect(sent).toEqual(["things a", "things b", "others a"]);
    expect(() => Object.assign(first ?? {}, { key: "c" })).toThrow(TypeError);
  });

  test("are sent after the last of their callers asked, and shared with none that asks later", async () => {
    const first = ask("a");
    await Promise.resolve();
    const same = ask("a");
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(["things a"]);
    const later = ask("a");
    expect(await same).toBe(await first);
    expect(await later).not.toBe(await first);
    expect(sent).toHaveLength(2);
  });

  test("that fail are not remembered", async () => {
    const failing = () => reads.get(layout, "a", () => Promise.reject(new Error("away")));
    expect(await Promise.allSettled([failing(), failing()])).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ status: "rejected" }) as unknown),
    );
    expect(await ask("a")).toMatchObject({ key: "a" });
  });
});
