import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { FakeMongo } from "../support/fake-mongo.ts";
import { items, slots } from "./collections.ts";

let server: FakeMongo;
let store: Store;
beforeEach(async () => {
  server = new FakeMongo();
  const mongodbUri = await server.listen();
  store = await openStore({ mongodbUri, dataDir: "", sync: "normal", collections: [items, slots] });
});
afterEach(async () => {
  await store?.close();
  await server.close();
});
const slot = { id: "a", key: "k", seq: 1 };

it.each([112, 16_777_220, 16_908_292])(
  "a write of one document that conflicts with another write, %i, is sent again",
  async code => {
    const docs = store.global(slots);
    const refusal = { code, errmsg: "deadlock detected" };
    const twice = (name: string, answer: Record<string, unknown>) => () => (server.of(name).length < 3 ? answer : {});
    server.answers.insert = twice("insert", { n: 0, writeErrors: [{ index: 0, ...refusal }] });
    server.answers.findAndModify = twice("findAndModify", { ok: 0, ...refusal });
    await docs.insert(slot);
    await docs.updateOne({ id: "a" }, { $set: { seq: 2 } });
    for (const name of ["insert", "findAndModify"]) {
      // Each attempt is a write of its own. A server that remembers the refused write would refuse it again.
      expect(new Set(server.of(name).map(({ txnNumber }) => String(txnNumber))).size).toBe(3);
    }
  },
);

it.each([112, 16_777_220, 16_908_292])(
  "documents of a batch that conflict, %i, are sent again, and refused ones are reported by their positions",
  async code => {
    const docs = store.global(slots);
    const four = ["a", "b", "c", "d"].map(id => ({ ...slot, id }));
    const duplicate = { code: 11000, errmsg: "E11000 duplicate key error index: _id_ dup key: x" };
    const conflict = { code, errmsg: "deadlock detected" };
    const answers = [
      {
        n: 1,
        writeErrors: [
          { index: 0, ...conflict },
          { index: 1, ...duplicate },
          { index: 3, ...conflict },
        ],
      },
      { ok: 0, ...conflict },
      { n: 1, writeErrors: [{ index: 1, ...duplicate }] },
    ];
    server.answers.insert = () => answers[server.of("insert").length - 1]!;
    await expect(docs.insertMany(four)).rejects.toMatchObject({ code: "unique_conflict", indexes: [1, 3] });
    const sent = server.of("insert").map(({ documents }) => (documents as { _id: string }[]).map(({ _id }) => _id));
    expect(sent).toEqual([
      ["a", "b", "c", "d"],
      ["a", "d"],
      ["a", "d"],
    ]);
  },
);

it("a removal, and a change of many documents that the server undid, are sent again", async () => {
  const docs = store.global(slots);
  const refusal = { code: 16_908_292, errmsg: "deadlock detected" };
  const once = (name: string) => () => (server.of(name).length < 2 ? { ok: 0, ...refusal } : { n: 3 });
  server.answers.update = once("update");
  server.answers.delete = () =>
    server.of("delete").length < 2 ? { n: 0, writeErrors: [{ index: 0, ...refusal }] } : { n: 2 };
  expect(await docs.updateMany({}, { $inc: { seq: 1 } })).toBe(3);
  expect(await docs.remove({ key: "k" })).toBe(2);
  // A server that may have changed some documents already sets them again, and is not asked to add to them again.
  const conflict = { ok: 0, code: 112, errmsg: "WriteConflict" };
  const sent = server.of("update").length;
  server.answers.update = () => (server.of("update").length === sent + 1 ? conflict : { n: 2 });
  expect(await docs.updateMany({}, { $set: { seq: 5 } })).toBe(2);
  server.answers.update = () => conflict;
  const before = server.of("update").length;
  await expect(docs.updateMany({}, { $inc: { seq: 1 } })).rejects.toMatchObject({ code: "store_unavailable" });
  expect(server.of("update")).toHaveLength(before + 1);
});

it("writes of one batch continue from the one that the server rolled back", async () => {
  const docs = store.global(slots);
  const ids = ["a", "b", "c", "d"];
  const adding = ids.map(id => docs.ops.updateOne({ id }, { $inc: { seq: 1 } }, { counted: false }));
  const conflict = { code: 16_908_292, errmsg: "deadlock detected" };
  const answers = [
    { n: 2, writeErrors: [{ index: 2, ...conflict }] },
    { ok: 0, ...conflict },
    { n: 2, nModified: 2 },
  ];
  server.answers.update = () => answers[server.of("update").length - 1]!;
  await store.write(adding);
  const sent = server.of("update").map(({ updates }) => (updates as { q: unknown }[]).map(({ q }) => q));
  expect(sent.map(list => list.length)).toEqual([4, 2, 2]);
  expect(sent[2]).toEqual(sent[0]?.slice(2));

  // A later failure is told by its place among all of the writes.
  const duplicate = { code: 11000, errmsg: "E11000 duplicate key error index: _id_ dup key: x" };
  server.answers.insert = () =>
    server.of("insert").length === 1
      ? { n: 1, writeErrors: [{ index: 1, ...conflict }] }
      : { n: 1, writeErrors: [{ index: 1, ...duplicate }] };
  const inserts = ids.map(id => docs.ops.insert({ ...slot, id }));
  await expect(store.write(inserts)).rejects.toMatchObject({ code: "unique_conflict", indexes: [2] });

  // A command of which a part may be done is not sent again.
  server.answers.update = () => ({ ok: 0, code: 112, errmsg: "WriteConflict" });
  const before = server.of("update").length;
  await expect(store.write(adding)).rejects.toMatchObject({ code: "store_unavailable" });
  expect(server.of("update")).toHaveLength(before + 1);
});

it("a write that conflicts every time is attempted seven times, and nothing is written", async () => {
  const docs = store.global(slots);
  server.answers.insert = () => ({ n: 0, writeErrors: [{ index: 0, code: 112, errmsg: "WriteConflict" }] });
  await expect(docs.insert(slot)).rejects.toMatchObject({ code: "store_busy" });
  expect(server.of("insert")).toHaveLength(7);
});
