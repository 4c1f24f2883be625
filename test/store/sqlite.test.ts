import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { Schema } from "../../adapters/store/schema.ts";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import type { Filter } from "../../adapters/store/port.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { checkFilter } from "../../adapters/store/filter.ts";
import { checkSort } from "../../adapters/store/sort.ts";
import { orderBy, where } from "../../adapters/store/sqlite/sql.ts";
import { describeStore } from "./conformance.ts";
import { id, ids, items } from "./collections.ts";

const root = mkdtempSync(join(tmpdir(), "weft-store-"));
const directory = (): string => mkdtempSync(join(root, "d-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeStore("the embedded store", () => openStore({ dataDir: directory(), sync: "normal" }));

describe("the embedded store's file", () => {
  const processOn = (dataDir: string, sync: string, name: string, inserts: number, claims: number): ChildProcess =>
    spawn(process.execPath, [join(__dirname, "sqlite-process.ts"), dataDir, sync, name, `${inserts}`, `${claims}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  const linesOf = (child: ChildProcess) => createInterface({ input: child.stdout as NodeJS.ReadableStream });
  async function ended(child: ChildProcess): Promise<string[]> {
    const lines: string[] = [];
    linesOf(child).on("line", line => lines.push(line));
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(0);
    return lines;
  }

  test.each(["normal", "full"])(
    "with sync %s, what was acknowledged survives SIGKILL in the middle of it",
    async sync => {
      const dataDir = directory();
      const child = processOn(dataDir, sync, "w", 1000, 0);
      const acknowledged: string[] = [];
      const killed = once(child, "close");
      linesOf(child).on("line", line => {
        if (acknowledged.push(line) === 300) child.kill("SIGKILL");
      });
      expect(await killed).toEqual([null, "SIGKILL"]);
      const store = await openStore({ dataDir, sync: "normal", collections: [items] });
      const found = await store.tenant(items, "w").find({ id: { $in: acknowledged } }, { limit: 1000 });
      await store.close();
      expect(acknowledged.length).toBeGreaterThanOrEqual(300);
      expect(ids(found.items).sort()).toEqual([...acknowledged].sort());
    },
  );

  test("is shared by processes: no write is lost, no document claimed twice", async () => {
    const dataDir = directory();
    const store = await openStore({ dataDir, sync: "normal", collections: [items] });
    await store
      .tenant(items, "shared")
      .insertMany(Array.from({ length: 60 }, (_, order) => ({ id: id(), name: "s", order })));
    const said = await Promise.all(["a", "b"].map(name => ended(processOn(dataDir, "normal", name, 200, 30))));
    for (const name of ["a", "b"]) expect(await store.tenant(items, name).count({})).toBe(200);
    expect(new Set(said.flat()).size).toBe(460);
    expect(await store.tenant(items, "shared").tally({}, "lease.owner")).toEqual({ a: 30, b: 30 });
    await store.close();
  });

  test("is created once by two processes that start at the same time", async () => {
    const dataDir = directory();
    const said = await Promise.all(["a", "b"].map(name => ended(processOn(dataDir, "normal", name, 20, 0))));
    expect(said.map(lines => lines.length)).toEqual([20, 20]);
  });

  test("is readable by its owner only, and has no other files beside it after closing", async () => {
    const dataDir = directory();
    const store = await openStore({ dataDir, sync: "full", collections: [items] });
    await store.tenant(items, "w").insert({ id: id(), name: "a" });
    for (const file of readdirSync(dataDir)) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    await store.close();
    expect(readdirSync(dataDir)).toEqual(["weft.db"]);
  });

  test("adds new fields and indexes of a later version to existing documents", async () => {
    const dataDir = directory();
    interface Thing {
      id: string;
      name: string;
      rank?: number;
      more?: unknown;
    }
    const first = collectionOfSchema<Thing>({
      name: "things",
      tenant: false,
      schema: new Schema({ name: { type: String, required: true } }).index({ name: 1 }, { unique: true }),
    });
    const later = collectionOfSchema<Thing>({
      name: "things",
      tenant: false,
      schema: new Schema({
        name: { type: String, required: true },
        rank: Number,
        more: { type: String, json: true },
      }).index({
        rank: 1,
        name: -1,
      }),
    });
    const before = await openStore({ dataDir, sync: "normal", collections: [first] });
    await before.global(first).insertMany(["a", "b"].map(name => ({ id: id(), name })));
    await before.close();

    const after = await openStore({ dataDir, sync: "normal", collections: [later] });
    const things = after.global(later);
    await things.updateOne({ name: "a" }, { $set: { rank: 2, more: [1] } });
    await things.insert({ id: id(), name: "a", rank: 1 });
    const { items: found } = await things.find({}, { sort: { rank: 1 }, limit: 9 });
    expect(found.map(({ name, rank, more }) => [name, rank, more])).toEqual([
      ["b", undefined, undefined],
      ["a", 1, undefined],
      ["a", 2, [1]],
    ]);
    await after.close();
  });

  test("stores indexed values beside the documents, for the indexed fields of every version", async () => {
    const dataDir = directory();
    interface Thing {
      id: string;
      a?: number;
      of?: { b?: boolean };
    }
    const indexed = (...indexes: Record<string, 1>[]) => {
      const schema = new Schema({ a: Number, of: { b: Boolean } });
      for (const index of indexes) schema.index(index);
      return collectionOfSchema<Thing>({ name: "things", tenant: false, schema });
    };
    // A file of a version that derived every column as it was asked for.
    const early = new DatabaseSync(join(dataDir, "weft.db"));
    early.exec(`CREATE TABLE "things" (_id TEXT NOT NULL PRIMARY KEY, doc TEXT NOT NULL);
      ALTER TABLE "things" ADD COLUMN "a" GENERATED ALWAYS AS (json_extract(doc, '$.a')) VIRTUAL;
      CREATE INDEX "things:a_1_id_1" ON "things" ("a", _id);
      INSERT INTO "things" VALUES ('one', '{"id":"one","a":1,"of":{"b":true}}')`);
    early.close();

    const versions: Record<string, 1>[][] = [[{ a: 1 }], [{ "of.b": 1 }], [], [{ a: 1 }, { "of.b": 1 }]];
    for (const [round, indexes] of versions.entries()) {
      const things = indexed(...indexes);
      const store = await openStore({ dataDir, sync: "normal", collections: [things] });
      const all = store.global(things);
      const ids = async (filter: Filter<Thing>) => (await all.find(filter, { limit: 9 })).items.map(thing => thing.id);
      expect(await ids({ a: round + 1, "of.b": round % 2 === 0 })).toEqual(["one"]);
      await all.updateOne({ id: "one" }, { $inc: { a: 1 }, $set: { of: { b: round % 2 === 1 } } });
      expect(await ids({ a: round + 2, "of.b": round % 2 === 1 })).toEqual(["one"]);
      await all.updateOne({ id: "one" }, { $unset: { "of.b": 1 } });
      expect(await ids({ "of.b": null })).toEqual(["one"]);
      await all.updateOne({ id: "one" }, { $set: { "of.b": round % 2 === 1 } });
      await all.insert({ id: "two", of: { b: false } });
      expect((await ids({ "of.b": false })).includes("two")).toBe(true);
      await all.remove({ id: "two" });
      await store.close();
    }
  });

  test("answers lists and claims from indexes, partial ones too", async () => {
    const dataDir = directory();
    const jobs = collectionOfSchema({
      name: "jobs",
      tenant: true,
      schema: new Schema({
        status: { type: String, required: true },
        order: Number,
        at: { type: Date, required: true },
        tags: { type: [String], default: undefined },
      })
        .index({ workspaceId: 1, at: -1 })
        .index({ workspaceId: 1, _id: -1 }, { partialFilterExpression: { tags: { $exists: true } } })
        .index({ status: 1, order: 1 }, { partialFilterExpression: { status: "pending" } }),
    });
    const store = await openStore({ dataDir, sync: "normal", collections: [jobs] });
    const database = new DatabaseSync(join(dataDir, "weft.db"), { readOnly: true });
    const plan = (filter: unknown, sort: unknown): string => {
      const { text, params } = where(jobs.layout, checkFilter(jobs.layout, filter));
      const sql = `EXPLAIN QUERY PLAN SELECT doc FROM jobs WHERE ${text} ORDER BY ${orderBy(checkSort(jobs.layout, sort))}`;
      return database
        .prepare(sql)
        .all(...params)
        .map(row => String(row.detail))
        .join("; ");
    };
    expect(plan({ workspaceId: "w" }, { at: -1 })).toBe(
      "SEARCH jobs USING INDEX jobs:workspaceId_1_at_-1_id_-1 (workspaceId=?)",
    );
    expect(plan({ status: "pending" }, { order: 1 })).toMatch(
      /^SEARCH jobs USING INDEX jobs:status_1_order_1_id_1_\w+ \(status=\?\)$/,
    );
    expect(plan({ workspaceId: "w", tags: { $in: ["a"] } }, { id: -1 })).toMatch(
      /^SEARCH jobs USING INDEX jobs:workspaceId_1_id_-1_\w+ \(workspaceId=\?\)/,
    );
    database.close();
    await store.close();
  });

  test("undoes a list of writes that fails, and applies others at the same time once", async () => {
    const store = await openStore({ dataDir: directory(), sync: "normal", collections: [items] });
    const all = store.tenant(items, "w");
    const ids = Array.from({ length: 6 }, () => id());
    await all.insertMany(ids.map(one => ({ id: one, name: "counter" })));
    const fails = (place: number) => place % 2 === 1;
    const writes = ids.map((one, place) => [
      all.ops.updateOne({ id: one }, { $inc: { count: 1 } }),
      all.ops.insert({ id: `${one}-more`, name: "more" }),
      all.ops.updateOne({ id: fails(place) ? "nobody" : one }, { $set: { state: "done" } }, { required: true }),
    ]);
    const outcomes = await Promise.allSettled(writes.map(ops => store.write(ops)));
    expect(outcomes.map(({ status }) => status === "rejected")).toEqual(ids.map((_, place) => fails(place)));
    const counters = await Promise.all(ids.map(one => all.get({ id: one })));
    expect(counters.map(one => one?.count)).toEqual(ids.map((_, place) => (fails(place) ? 0 : 1)));
    expect(await all.count({ name: "more" })).toBe(3);
    await store.close();
  });

  test("has full pages, although lists begin with the newest document", async () => {
    const dataDir = directory();
    const store = await openStore({ dataDir, sync: "normal", collections: [items] });
    const all = store.tenant(items, "w");
    for (let n = 0; n < 3000; n++) await all.insert({ id: String(n).padStart(36, "0"), name: "a", at: new Date(n) });
    await store.close();
    const database = new DatabaseSync(join(dataDir, "weft.db"));
    const pages = () => Number(database.prepare("PRAGMA page_count").get()?.page_count);
    const before = pages();
    database.exec("VACUUM");
    expect(before).toBeLessThan(1.1 * pages());
    database.close();
  });

  test("that cannot be opened is an error of the store", async () => {
    const opening = openStore({ dataDir: "/dev/null/nowhere", sync: "normal" });
    await expect(opening).rejects.toMatchObject({ code: "store_unavailable" });
  });
});
