// Measures the embedded store on this machine: npm run bench:store [-- normal|full]
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Schema } from "../adapters/store/schema.ts";
import { v7 as uuidv7 } from "uuid";
import { collectionOfSchema } from "../adapters/store/define-collection.ts";
import { openStore } from "../adapters/store/open-store.ts";
import type { Collection } from "../adapters/store/port.ts";

interface Entry {
  id: string;
  name: string;
  state: string;
  count: number;
  at: Date;
  body: unknown;
}

const ROUNDS = 5;
const GROUPED = 20_000;
const CALLERS = 256;
const SEQUENTIAL = 2000;
const READS = 10_000;
const SWAPS = 10_000;

const entries = collectionOfSchema<Entry>({
  name: "entries",
  tenant: true,
  schema: new Schema({
    name: { type: String, required: true },
    state: { type: String, required: true },
    count: { type: Number, default: 0 },
    at: { type: Date, required: true },
    body: { type: String, json: true },
  })
    .index({ workspaceId: 1, at: -1 })
    .index({ workspaceId: 1, name: 1 }, { unique: true }),
});

/** about 400 bytes of JSON */
function entry(): Entry {
  const id = uuidv7();
  return { id, name: id, state: "open", count: 0, at: new Date(), body: { text: "x".repeat(200) } };
}

const sorted = (values: number[]): number[] => values.toSorted((a, b) => a - b);
const at = (values: number[], share: number): number =>
  sorted(values)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
const median = (values: number[]): number => at(values, 0.5);

async function together(total: number, callers: number, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  const caller = async (): Promise<void> => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return total / ((performance.now() - started) / 1000);
}

async function oneByOne(total: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < total; n++) {
    const started = performance.now();
    await work(n);
    times.push((performance.now() - started) * 1000);
  }
  return times;
}

async function round(own: Collection<Entry>): Promise<Record<string, number>> {
  const cpu = process.threadCpuUsage();
  const grouped = await together(GROUPED, CALLERS, () => own.insert(entry()));
  const used = process.threadCpuUsage(cpu);
  const made: string[] = [];
  const sequential = await oneByOne(SEQUENTIAL, async () => made.push((await own.insert(entry())).id));
  const reads = await oneByOne(READS, n => own.get({ id: made[(n * 7919) % made.length] }));
  const shared = await oneByOne(READS, n => own.shared({ id: made[n % 100] }));
  const swaps = await together(SWAPS, CALLERS, n =>
    own.updateOne(
      { id: made[(n * 7919) % made.length], state: "open" },
      { $inc: { count: 1 }, $set: { at: new Date() } },
    ),
  );
  return {
    "grouped inserts a second": grouped,
    "main thread per grouped insert, us": (used.user + used.system) / GROUPED,
    "one insert after another, p50 us": median(sequential),
    "one insert after another, p99 us": at(sequential, 0.99),
    "point read, p50 us": median(reads),
    "point read, p99 us": at(reads, 0.99),
    "shared read, p50 us": median(shared),
    "compare-and-sets a second": swaps,
  };
}

const sync = process.argv[2] === "full" ? "full" : "normal";
const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
const store = await openStore({ dataDir, sync, collections: [entries] });
try {
  const own = store.tenant(entries, uuidv7());
  await together(2000, CALLERS, () => own.insert(entry()));
  const rounds: Record<string, number>[] = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await round(own));
  const size = JSON.stringify(await own.get({})).length;
  console.log(
    `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}, STORE_SYNC=${sync}`,
  );
  console.log(`documents of ${size} bytes, ${CALLERS} callers where grouped, medians of ${ROUNDS} rounds`);
  for (const name of Object.keys(rounds[0] ?? {})) {
    const value = median(rounds.map(result => result[name] ?? Number.NaN));
    console.log(`${name.padEnd(38)} ${value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(1)}`);
  }
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
