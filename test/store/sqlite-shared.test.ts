import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { CheckedStore } from "../../adapters/store/checked-store.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Collection, Store } from "../../adapters/store/port.ts";
import { SqliteDriver } from "../../adapters/store/sqlite/sqlite-driver.ts";
import { WRITER_LIMITS } from "../../adapters/store/sqlite/writer.ts";
import { items, type Item } from "./collections.ts";

const root = mkdtempSync(join(tmpdir(), "weft-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("shared reads of the embedded store", () => {
  let dataDir: string;
  let limits = WRITER_LIMITS;
  let driver: SqliteDriver;
  let store: Store;
  const stores: Store[] = [];
  let own: Collection<Item>;

  async function open(deadAfterMs = WRITER_LIMITS.deadAfterMs): Promise<void> {
    limits = { ...WRITER_LIMITS, deadAfterMs };
    dataDir = mkdtempSync(join(root, "d-"));
    driver = await SqliteDriver.open({ dataDir, sync: "normal", limits });
    store = new CheckedStore(driver);
    await store.register([items]);
    own = store.tenant(items, "w");
    await own.insert({ id: "x", name: "a" });
  }
  const neighbour = (): ChildProcess =>
    spawn(process.execPath, [join(__dirname, "sqlite-neighbour.ts"), dataDir, `${limits.deadAfterMs}`], {
      stdio: ["pipe", "pipe", "inherit"],
    });
  const count = async (): Promise<number | undefined> => (await own.shared({ id: "x" }))?.count;
  async function untilAlone(): Promise<void> {
    while (driver.epoch() === null) await sleep(10);
  }
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all([store, ...stores.splice(0)].map(opened => opened.close()));
  });

  test("come from memory while the process is alone, until its next write", async () => {
    await open();
    const reads = jest.spyOn(driver, "get");
    for (let n = 0; n < 100; n++) expect(await count()).toBe(0);
    for (let n = 0; n < 100; n++) expect(await own.shared({ id: "none" })).toBeNull();
    expect(reads).toHaveBeenCalledTimes(2);
    await own.updateOne({ id: "x" }, { $set: { count: 1 } });
    expect(await count()).toBe(1);
    await own.insert({ id: "none", name: "b" });
    expect(await own.shared({ id: "none" })).toMatchObject({ name: "b" });
    expect(reads).toHaveBeenCalledTimes(4);
  });

  test("see every write that another process has been acknowledged", async () => {
    await open();
    const child = neighbour();
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    await lines.next();
    for (let n = 1; n <= 300; n++) {
      expect(await count()).toBe(n - 1);
      child.stdin?.write(`x ${n}\n`);
      await lines.next();
      expect(await count()).toBe(n);
    }
    child.stdin?.end();
    await once(child, "close");
    await untilAlone();
    expect(await count()).toBe(300);
  });

  test("see the first write of a process that opens the store, and the last of one that closes it", async () => {
    await open();
    for (let n = 1; n <= 8; n++) {
      await untilAlone();
      let acknowledged = n - 1;
      let over = false;
      // For the file, a second store is like another process. In every second round the first one does not read meanwhile.
      const other = (async () => {
        const second = await openStore({ dataDir, sync: "normal", collections: [items] });
        stores.push(second);
        await second.tenant(items, "w").updateOne({ id: "x" }, { $set: { count: n } });
        acknowledged = n;
        if (n % 4 < 2) await second.close();
        over = true;
        return second;
      })();
      expect(await count()).toBe(n - 1);
      while (!over) {
        if (n % 2 > 0) {
          const least = acknowledged;
          expect(await count()).toBeGreaterThanOrEqual(least);
        }
        await turn();
      }
      expect(await count()).toBe(n);
      await (await other).close();
      expect(await count()).toBe(n);
    }
  });

  test("come from memory again after the other process was killed", async () => {
    await open(1000);
    const child = neighbour();
    await once(child.stdout as NodeJS.ReadableStream, "data");
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    await sleep(120);
    expect(driver.epoch()).toBeNull();
    await untilAlone();
    const reads = jest.spyOn(driver, "get");
    for (let n = 0; n < 10; n++) expect(await count()).toBe(0);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  test("are not served by a process that was presumed dead, and it writes only after it registers again", async () => {
    await open(300);
    await untilAlone();
    const file = new DatabaseSync(join(dataDir, "weft.db"), { timeout: 5000 });
    file.exec('BEGIN IMMEDIATE; DELETE FROM "weft:processes"; INSERT INTO "weft:processes" DEFAULT VALUES; COMMIT');
    const rows = (): unknown[] => file.prepare('SELECT n FROM "weft:processes" ORDER BY n').all();
    await sleep(120);
    await own.updateOne({ id: "x" }, { $set: { count: 1 } });
    expect(rows()).toEqual([{ n: 2 }, { n: 3 }]);
    expect(driver.epoch()).toBeNull();
    file.close();
    await untilAlone();
  });
});
