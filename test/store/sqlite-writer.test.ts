import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { acquireStore, openStore } from "../../adapters/store/open-store.ts";
import { SqliteDriver } from "../../adapters/store/sqlite/sqlite-driver.ts";
import { packed, unpacked } from "../../adapters/store/sqlite/packed-writes.ts";
import type { WireOp } from "../../adapters/store/sqlite/protocol.ts";
import { Writer, WRITER_LIMITS } from "../../adapters/store/sqlite/writer.ts";
import { items } from "./collections.ts";

const root = mkdtempSync(join(tmpdir(), "weft-store-"));
const directory = (): string => mkdtempSync(join(root, "d-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the embedded store's writer", () => {
  const write: [] = [];
  const start = (limits = WRITER_LIMITS): Promise<Writer> =>
    Writer.start({ file: join(directory(), "weft.db"), sync: "normal" }, limits);

  test("accepts writes up to its bound, and continues when there is room", async () => {
    const driver = await SqliteDriver.open({
      dataDir: directory(),
      sync: "normal",
      limits: { ...WRITER_LIMITS, maxWaiting: 3 },
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => driver.ping()));
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(outcomes[4]).toMatchObject({ reason: { code: "store_busy" } });
    await expect(driver.ping()).resolves.toBeUndefined();
    await driver.close();
  });

  test("restores every kind of operation from a message", () => {
    const sql = { text: "SELECT ?", params: ["a", 1, null, new Uint8Array([7])] };
    const insert = { kind: "insert" as const, table: "t", sql: "INSERT" };
    const update = { kind: "update" as const, select: sql, update: { text: "UPDATE", params: [] }, change: "{}" };
    const ops: WireOp[] = [
      { ...insert, rows: [["1", "{}", null], ["2"]], taken: [{ ...sql, conflict: "t.a" }] },
      { ...insert, rows: [], taken: [] },
      { ...update, fetch: null, required: true, returning: false },
      { ...update, fetch: "SELECT", required: false, returning: true },
      { kind: "remove", remove: sql },
      { kind: "index", statements: [sql, { text: "DELETE", params: [] }] },
      { kind: "index", statements: [] },
    ];
    expect(unpacked(packed(ops))).toEqual(ops);
    expect(unpacked(packed([]))).toEqual([]);
  });

  test("bounds the characters in its queue", async () => {
    const writer = await start({ ...WRITER_LIMITS, maxWaitingChars: 100 });
    const first = writer.request(write, 80);
    await expect(writer.request(write, 30)).rejects.toMatchObject({ code: "store_busy" });
    await first;
    await expect(writer.request(write, 30)).resolves.toEqual([]);
    await writer.close();
  });

  test("fails waiting callers at their time limit, and continues", async () => {
    const file = join(directory(), "weft.db");
    const writer = await Writer.start({ file, sync: "normal" }, { ...WRITER_LIMITS, timeoutMs: 20 });
    const holder = new DatabaseSync(file);
    holder.exec("BEGIN IMMEDIATE");
    await expect(writer.request(write)).rejects.toMatchObject({ code: "store_timeout" });
    holder.exec("ROLLBACK");
    holder.close();
    await writer.close();
  });

  test("gives a request its own time limit without extending others", async () => {
    const file = join(directory(), "weft.db");
    const writer = await Writer.start({ file, sync: "normal" }, { ...WRITER_LIMITS, timeoutMs: 20 });
    const holder = new DatabaseSync(file);
    holder.exec("BEGIN IMMEDIATE");
    const long = writer.request({ kind: "prepare", sql: "CREATE TABLE made (a)" }, 0, 60_000);
    await expect(writer.request(write)).rejects.toMatchObject({ code: "store_timeout" });
    holder.exec("ROLLBACK");
    holder.close();
    await expect(long).resolves.toEqual([]);
    await writer.close();
  });

  test("fails waiting and later callers when its thread dies", async () => {
    const writer = await start();
    const waiting = writer.request(write);
    // Nothing that the store itself would send: it makes the thread throw.
    const poison = writer.request(null as never);
    await expect(waiting).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(poison).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(writer.request({ kind: "ping", large: false })).rejects.toMatchObject({ code: "store_unavailable" });
    await writer.close();
  });

  test("finishes accepted writes before the store closes, and rejects later ones", async () => {
    const dataDir = directory();
    const store = await openStore({ dataDir, sync: "normal", collections: [items] });
    const own = store.tenant(items, "w");
    const writes = Array.from({ length: 200 }, (_, n) => own.insert({ id: `${n}`, name: "a" }));
    const closing = store.close();
    await expect(Promise.all(writes)).resolves.toHaveLength(200);
    await closing;
    await expect(own.insert({ id: "late", name: "a" })).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(own.get({ id: "1" })).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.close()).resolves.toBeUndefined();
  });
});

describe("a store that a process shares", () => {
  test("is opened once for all users, and closed with the last", async () => {
    const dataDir = directory();
    const settings = { dataDir, sync: "normal", collections: [items] } as const;
    const [a, b] = await Promise.all([acquireStore(settings), acquireStore(settings)]);
    expect(a.store).toBe(b.store);
    await a.release();
    await a.release();
    await expect(b.store.ping()).resolves.toBeUndefined();
    await b.release();
    await expect(b.store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    const again = await acquireStore(settings);
    await expect(again.store.ping()).resolves.toBeUndefined();
    await again.release();
  });

  test("that could not be opened can be requested again", async () => {
    const settings = { dataDir: "/dev/null/nowhere", sync: "normal" } as const;
    await expect(acquireStore(settings)).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(acquireStore(settings)).rejects.toMatchObject({ code: "store_unavailable" });
  });
});
