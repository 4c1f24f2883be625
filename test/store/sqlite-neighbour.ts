// A process of its own on a data directory that others use too. Sets the count of the item that a line on its standard input names, says when that is done.
import { createInterface } from "node:readline";
import { CheckedStore } from "../../adapters/store/checked-store.ts";
import { SqliteDriver } from "../../adapters/store/sqlite/sqlite-driver.ts";
import { WRITER_LIMITS } from "../../adapters/store/sqlite/writer.ts";
import { items } from "./collections.ts";

const [dataDir = "", deadAfterMs = ""] = process.argv.slice(2);
const limits = { ...WRITER_LIMITS, deadAfterMs: Number(deadAfterMs) };
const store = new CheckedStore(await SqliteDriver.open({ dataDir, sync: "normal", limits }));
await store.register([items]);
const own = store.tenant(items, "w");
process.stdout.write("here\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [id = "", count = ""] = line.split(" ");
  await own.updateOne({ id }, { $set: { count: Number(count) } });
  process.stdout.write(`${line}\n`);
}
await store.close();
