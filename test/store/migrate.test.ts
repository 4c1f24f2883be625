import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MongoClient } from "mongodb";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { Digester, splitDocument } from "../../adapters/store/digest.ts";
import { acquireStore, openStore, type StoreSettings } from "../../adapters/store/open-store.ts";
import type { CollectionSpec, Store } from "../../adapters/store/port.ts";
import { Schema } from "../../adapters/store/schema.ts";
import { FrozenFile } from "../../adapters/store/sqlite/frozen-file.ts";
import { migrate, type MigrationSettings } from "../../adapters/transfer/migrate.ts";
import { databaseAt } from "../support/real-servers.ts";
import { id, type Item, items, slots } from "./collections.ts";

const root = mkdtempSync(join(tmpdir(), "weft-migrate-"));
const folder = (): string => mkdtempSync(join(root, "d-"));
const open = (dataDir: string) => openStore({ dataDir, sync: "normal", collections: [items, slots] as never });

/** With MONGODB_URI the target is a database of its own there, else another embedded store. */
const mongodb = process.env.MONGODB_URI;
const databases: string[] = [];
let place: StoreSettings;
async function openTarget(): Promise<Store> {
  if (!mongodb) return openStore((place = { dataDir: folder(), sync: "normal" }));
  const own = databaseAt(mongodb, `weft_test_${randomUUID().slice(0, 8)}`);
  databases.push(own);
  return openStore((place = { mongodbUri: own, dataDir: "", sync: "normal" }));
}

const DOCUMENTS = 1700;
let filled: string;
let target: Store;
beforeAll(async () => {
  filled = folder();
  const store = await open(filled);
  const made = Array.from({ length: DOCUMENTS }, (_, n): Item => {
    const at = n % 3 ? new Date(n) : null;
    const lease = n % 2 ? { owner: "é\u{10ffff}", until: new Date(0) } : {};
    const body = { [`key ${n}`]: [n, null, { deep: "a.b" }], "": "\0" };
    return { id: id(), workspaceId: `w${n % 7}`, name: `n${n}`, at, lease, tags: ["a", `t${n}`], body };
  });
  await store.acrossTenants(items).insertMany(made);
  await store.global(slots).insertMany([1, 2, 3].map(seq => ({ id: id(), key: "k", seq })));
  await store.close();
});
afterAll(async () => {
  rmSync(root, { recursive: true, force: true });
  for (const uri of databases) {
    const client = await MongoClient.connect(uri);
    await client.db().dropDatabase();
    await client.close();
  }
});
async function run(more: Partial<MigrationSettings> = {}, dataDir = filled) {
  const source = FrozenFile.open(join(dataDir, "weft.db"));
  try {
    return await migrate({
      ...{ source, target, collections: [items, slots] as readonly CollectionSpec[], derived: [], files: null },
      ...{ sourceId: "here", restart: false, signal: new AbortController().signal, onProgress: () => undefined },
      ...more,
    });
  } finally {
    source.close();
  }
}
/** A copy of the filled store, changed past it. */
function changedStore(sql: string): string {
  const dataDir = folder();
  const file = join(dataDir, "weft.db");
  const source = new DatabaseSync(join(filled, "weft.db"), { readOnly: true });
  source.exec(`VACUUM INTO '${file}'`);
  source.close();
  const copy = new DatabaseSync(file);
  copy.exec(sql);
  copy.close();
  return dataDir;
}

describe("a migration", () => {
  beforeEach(async () => void (target = await openTarget()));
  afterEach(() => target.close());

  test("copies every document unchanged, and reports progress", async () => {
    const steps: string[] = [];
    const before = readFileSync(join(filled, "weft.db"));
    const { collections, again } = await run({ onProgress: (what, done, all) => steps.push(`${what} ${done}/${all}`) });
    expect(again).toBe(false);
    expect(collections).toMatchObject({ items: { count: DOCUMENTS }, slots: { count: 3 } });
    expect(steps.at(0)).toMatch(/^Copying \d+\/1703$/);
    expect(steps.at(-1)).toBe("Comparing 1703/1703");
    expect(readFileSync(join(filled, "weft.db")).equals(before)).toBe(true);
    const source = await open(filled);
    for (let page: string | null = null, last = false; !last; last = page === null) {
      const [here, there] = await Promise.all(
        [source, target].map(store => store.acrossTenants(items).find({}, { limit: 900, after: page })),
      );
      expect(there).toEqual(here);
      page = here?.next ?? null;
    }
    await source.close();
  });

  test("continues after an interruption at any point", async () => {
    for (const cut of [1, 3, 6]) {
      const stop = new AbortController();
      let steps = 0;
      const cutOff = run({ signal: stop.signal, onProgress: () => ++steps === cut && stop.abort() });
      await expect(cutOff).rejects.toMatchObject({ name: "AbortError" });
    }
    // Of a list that was being written, part may be there.
    const [some] = (await target.acrossTenants(items).find({}, { limit: 1 })).items;
    await target.acrossTenants(items).remove({ id: some!.id });
    // A node waits until all documents are there, and works on no part of them.
    const unfinished = { code: "store_unavailable", message: expect.stringContaining("has not finished") as string };
    await expect(acquireStore(place)).rejects.toMatchObject(unfinished);
    expect(await run()).toMatchObject({ again: false, collections: { items: { count: DOCUMENTS } } });
    await (await acquireStore(place)).release();
  });

  test("only compares when it runs again after its end", async () => {
    const first = await run();
    expect(await run()).toEqual({ ...first, again: true });
    await target.global(slots).updateMany({}, { $set: { made: new Date(5) } });
    await expect(run({ restart: true })).rejects.toThrow(
      /slots \(3 here, 3 there\)\. The migration was finished before/,
    );
  });

  test("rejects a target with other data", async () => {
    await target.register([slots]);
    await target.global(slots).insert({ id: "a", key: "k", seq: 1 });
    await expect(run()).rejects.toThrow("The target is not empty (slots)");
    await target.global(slots).remove({});
    await run();
    await expect(run({ sourceId: "elsewhere" })).rejects.toThrow("from another installation");
  });

  test("detects differences at the end, and starts again when told to", async () => {
    const stop = new AbortController();
    await expect(run({ signal: stop.signal, onProgress: () => stop.abort() })).rejects.toThrow();
    // Weft ran on the source in between: one document was changed, one removed.
    const changed =
      changedStore(`UPDATE items SET doc = json_set(doc, '$.name', 'other') WHERE rowid = (SELECT rowid FROM items ORDER BY _id LIMIT 1);
    DELETE FROM items WHERE rowid = (SELECT rowid FROM items ORDER BY _id LIMIT 1 OFFSET 1)`);
    await expect(run({}, changed)).rejects.toThrow(/items \(1699 here, 1700 there\)\. .*--restart begins it anew/);
    expect((await run({ restart: true }, changed)).collections.items?.count).toBe(1699);
  });

  test("rejects data that it would lose, and names the document that this version does not accept", async () => {
    await expect(run({ collections: [items] as never })).rejects.toThrow("does not know these collections: slots");
    expect((await run({ collections: [items] as never, derived: [slots] as never })).collections).not.toHaveProperty(
      "slots",
    );
    const odd = changedStore("UPDATE slots SET doc = json_remove(doc, '$.key') WHERE json_extract(doc, '$.seq') = 2");
    await target.close();
    target = await openTarget();
    await expect(run({}, odd)).rejects.toThrow(/The document [0-9a-f-]{36} of slots .*: slots: key is required/);
  });

  test("accepts the file of an older version without newer fields and collections", async () => {
    const schema = items.schema.clone();
    schema.add({ colour: { type: String, default: "grey" }, notes: { type: String, json: true } });
    const later = collectionOfSchema<Item & { colour: string }>({ name: "items", tenant: true, schema });
    const fresh = collectionOfSchema({ name: "fresh", schema: new Schema({ a: String }), tenant: false });
    const { collections } = await run({ collections: [later, slots, fresh] as never });
    expect(collections).toMatchObject({ items: { count: DOCUMENTS }, fresh: { count: 0 } });
    const [one] = (await target.acrossTenants(later).find({}, { limit: 1 })).items;
    expect(one?.colour).toBe("grey");
  });
});

describe("the hash of a collection", () => {
  const hashOf = (...documents: object[]) => {
    const digester = new Digester();
    for (const document of documents) digester.add(splitDocument(items.layout, document as Record<string, unknown>));
    return digester.digest;
  };
  const [a, b] = [
    { id: "a", name: "x", at: new Date(5) },
    { id: "b", name: "x" },
  ];

  test("is the same in any order, of documents and of their fields", () => {
    expect(hashOf(a, b)).toEqual(hashOf(b, { at: new Date(5), name: "x", id: "a" }));
    expect(hashOf(a, b)).toMatchObject({ count: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test.each([
    [{ ...a, name: "y" }],
    [{ ...a, at: 5 }],
    [{ ...a, at: null }],
    [{ ...a, body: null }],
    [{ ...a, id: "b" }],
    [{ id: "a", name: "x" }],
  ])("is another where a document is %j", changed => {
    expect(hashOf(changed, b).hash).not.toBe(hashOf(a, b).hash);
  });

  test("tells free-form JSON from text", () => {
    expect(hashOf({ ...a, body: { b: 1 } })).not.toEqual(hashOf({ ...a, body: '{"b":1}' }));
    expect(hashOf(a, a)).not.toEqual(hashOf());
  });
});
