import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Schema } from "../../adapters/store/schema.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { CheckedStore } from "../../adapters/store/checked-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { SqliteDriver } from "../../adapters/store/sqlite/sqlite-driver.ts";
import { WRITER_LIMITS } from "../../adapters/store/sqlite/writer.ts";

interface Thing {
  id: string;
  a?: number;
  b?: number;
  later?: unknown;
}

const things = (schema: Schema) => collectionOfSchema<Thing>({ name: "things", tenant: false, schema });
const older = things(new Schema({ a: Number, b: Number }).index({ a: 1 }));
/** It looks for documents by what the older version derives on reading. */
const newer = things(new Schema({ a: Number, b: Number }).index({ a: 1 }).index({ b: 1 }));
/** A process that writes only the other fields does not need to know the new one. */
const larger = things(
  new Schema({ a: Number, b: Number, later: { type: String, json: true } }).index({ a: 1 }).index({ a: 1, _id: -1 }),
);

const limits = { ...WRITER_LIMITS, deadAfterMs: 2_000 };
const refusal = { code: "store_unavailable", message: expect.stringContaining("another version of Weft") as string };

describe("versions of Weft on one embedded store", () => {
  let dataDir: string;
  const stores: Store[] = [];
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "weft-versions-"));
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map(store => store.close()));
    rmSync(dataDir, { recursive: true, force: true });
  });
  async function open(version: typeof older) {
    const store = new CheckedStore(await SqliteDriver.open({ dataDir, sync: "normal", limits }));
    await store.register([version]).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    stores.push(store);
    const all = store.global(version);
    const find = async (filter: { a?: number; b?: number }) =>
      (await all.find(filter, { sort: { id: 1 }, limit: 9 })).items.map(({ id }) => id);
    return { store, all, find };
  }
  function indexes(): string[] {
    const file = new DatabaseSync(join(dataDir, "weft.db"), { readOnly: true });
    const rows = file.prepare("SELECT name FROM pragma_index_list('things') WHERE origin = 'c' ORDER BY name").all();
    file.close();
    return rows.map(({ name }) => String(name));
  }

  it("with different document formats exclude each other: the later one waits, in either order", async () => {
    const before = await open(older);
    await before.all.insert({ id: "1", a: 1, b: 1 });
    await expect(open(newer)).rejects.toMatchObject(refusal);
    await before.all.insert({ id: "2", a: 1, b: 1 });
    expect(await before.find({ a: 1 })).toEqual(["1", "2"]);
    await before.store.close();

    const after = await open(newer);
    expect(await after.find({ b: 1 })).toEqual(["1", "2"]);
    const made = indexes();
    await expect(open(older)).rejects.toMatchObject(refusal);
    expect(indexes()).toEqual(made);
    await after.all.insert({ id: "3", a: 1, b: 1 });
    expect(await after.find({ b: 1 })).toEqual(["1", "2", "3"]);
    await after.store.close();

    const back = await open(older);
    await back.all.updateOne({ id: "1" }, { $set: { b: 2 } });
    await back.store.close();
    expect(await (await open(newer)).find({ b: 2 })).toEqual(["1"]);
  });

  it("that only add fields run side by side", async () => {
    const before = await open(older);
    await before.all.insert({ id: "1", a: 1 });
    const after = await open(larger);
    await after.all.insert({ id: "2", a: 1, later: { is: "kept" } });
    await before.all.updateOne({ id: "2" }, { $set: { b: 2 } });
    await before.all.insert({ id: "3", a: 1 });
    expect(await after.all.get({ id: "2" })).toEqual({ id: "2", a: 1, b: 2, later: { is: "kept" } });
    expect(await after.find({ a: 1 })).toEqual(["1", "2", "3"]);
    const made = indexes();
    await open(older);
    expect(indexes()).toEqual(made);
  });

  it("are not blocked by a killed process", async () => {
    const before = await open(older);
    await before.all.insert({ id: "1", b: 1 });
    await before.store.close();
    const file = new DatabaseSync(join(dataDir, "weft.db"));
    file.exec(`INSERT INTO "weft:processes" DEFAULT VALUES`);
    file.close();
    expect(await (await open(newer)).find({ b: 1 })).toEqual(["1"]);
  });

  it("do not write to tables that changed while they were presumed dead", async () => {
    const before = await open(older);
    await before.all.insert({ id: "1", b: 1 });
    const file = new DatabaseSync(join(dataDir, "weft.db"));
    file.exec(`DELETE FROM "weft:processes"`);
    file.close();
    const after = await open(newer);
    await expect(before.all.insert({ id: "2", b: 1 })).rejects.toMatchObject(refusal);
    await expect(before.store.ping()).rejects.toMatchObject(refusal);
    await after.all.insert({ id: "3", b: 1 });
    expect(await after.find({ b: 1 })).toEqual(["1", "3"]);
  });
});
