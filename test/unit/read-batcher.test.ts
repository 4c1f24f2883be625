import { setImmediate as nextTurn } from "node:timers/promises";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { ReadBatcher } from "../../adapters/store/read-batcher.ts";
import { Schema } from "../../adapters/store/schema.ts";

const layoutOf = (name: string) =>
  collectionOfSchema({ name, schema: new Schema({ _id: String }), tenant: false }).layout;

describe("batched reads", () => {
  const [layout, other] = [layoutOf("things"), layoutOf("others")];
  /** The collections of each command. */
  let sent: string[][];
  let reads: ReadBatcher;
  let isAway: boolean;
  beforeEach(() => {
    sent = [];
    isAway = false;
    reads = new ReadBatcher(asked => {
      if (isAway) return Promise.reject(new Error("away"));
      sent.push(asked.map(read => read.layout.name));
      return Promise.resolve(asked.map((read, place) => ({ of: read.layout.name, place })));
    });
  });
  const ask = (key: string, of = layout) => reads.get({ layout: of, where: { op: "and", of: [] } }, key);

  test("read each document once, and are sent together", async () => {
    const [first, same, b, elsewhere] = await Promise.all([ask("a"), ask("a"), ask("b"), ask("a", other)]);
    expect(same).toBe(first);
    expect([first, b, elsewhere]).toEqual([
      { of: "things", place: 0 },
      { of: "things", place: 1 },
      { of: "others", place: 2 },
    ]);
    expect(sent).toEqual([["things", "things", "others"]]);
    expect(() => Object.assign(first ?? {}, { key: "c" })).toThrow(TypeError);
  });

  test("are sent after their last caller asked, and not shared with later ones", async () => {
    const first = ask("a");
    await Promise.resolve();
    const same = ask("a");
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual([["things"]]);
    const later = ask("a");
    expect(await same).toBe(await first);
    expect(await later).not.toBe(await first);
    expect(sent).toEqual([["things"], ["things"]]);
  });

  test("are not cached if they fail", async () => {
    isAway = true;
    expect(await Promise.allSettled([ask("a"), ask("a")])).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ status: "rejected" }) as unknown),
    );
    isAway = false;
    expect(await ask("a")).toMatchObject({ of: "things" });
  });
});
