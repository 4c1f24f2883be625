// Measures what millions of waiting executions cost the running ones. The store contains equal numbers of suspended and
// delayed executions. It reports how soon a process on this store is ready, its memory, and how long a new run, an
// answer and a wake take. Everything is embedded in one process.
import { execFileSync } from "node:child_process";

import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { openStore } from "../adapters/store/open-store.ts";
import {
  Executions,
  Journal,
  journalId,
  type ExecutionDoc,
  type JournalDoc,
} from "../services/executions/store/model.ts";
import { type Api, newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { startServer, temporaryFolder, type Server } from "../test/support/server.ts";
import { median, percentile } from "./statistics.ts";

const COUNTS = (process.env.BENCH_WAITING ?? "0,10000,100000,1000000").split(",").map(Number);
const RUNS = 200;
const BATCH = 500;
const ENV = { LOG_LEVEL: "warn" };
const TEN_YEARS_MS = 315_360_000_000;

interface BenchSpace {
  api: Api;
  space: string;
}

async function start(
  { api, space }: BenchSpace,
  workflowId: string,
  wait = 60,
): Promise<{ id: string; status: string }> {
  const input = { n: 1 };
  const { status, body } = await api.post(`${space}/executions`, { workflowId, input }, { prefer: `wait=${wait}` });
  if (status !== 201) throw new Error(`A run answered ${status}: ${JSON.stringify(body)}`);
  return body as { id: string; status: string };
}

async function reach({ api, space }: BenchSpace, id: string, done: (execution: { status: string }) => boolean) {
  for (;;) {
    const { body } = await api.get(`${space}/executions/${id}`);
    if (done(body as { status: string })) return;
    await sleep(5);
  }
}

const residentMiB = ({ process: { pid } }: Server) =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024;

async function timed(times: number[], run: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await run();
  times.push(performance.now() - began);
}

/** Copies the documents of waiting runs that the engine stored, under new ids, until there are `count` of each kind. */
async function multiply(dataDir: string, samples: string[], count: number, from: number): Promise<void> {
  const store = await openStore({ dataDir, sync: "normal", collections: [Executions, Journal] });
  const [executions, journal] = [store.acrossTenants(Executions), store.acrossTenants(Journal)];
  for (const sample of samples) {
    const { items: docs } = await executions.find({ id: sample }, { limit: 1 });
    const { items: appends } = await journal.find({ id: { $gt: sample, $lt: `${sample};` } }, { limit: 50 });
    const doc = docs[0] as ExecutionDoc;
    for (let i = from; i < count; i += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, count - i) }, () => uuid());
      const copy = (append: JournalDoc, id: string) => ({ ...append, id: journalId(id, append.seq), executionId: id });
      await Promise.all([
        executions.insertMany(ids.map(id => ({ ...doc, id }))),
        journal.insertMany(ids.flatMap(id => appends.map(append => copy(append, id)))),
      ]);
    }
  }
  await store.close();
}

const dataDir = await temporaryFolder();
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, everything embedded`);
let server = await startServer({ dataDir, env: ENV });
const place: BenchSpace = await newWorkspace(server.url);
const quick = await newWorkflow(place.api, place.space, definition([gives("a", "{{ input.n + 1 }}")]));
const asking = await newWorkflow(
  place.api,
  place.space,
  definition([{ id: "ask", type: "human", data: { prompt: "?" } }]),
);
const delaying = (ms: number) =>
  newWorkflow(place.api, place.space, definition([{ id: "wait", type: "delay", data: { ms } }]));
const [long, short] = [await delaying(TEN_YEARS_MS), await delaying(1_500)];
const samples = [await start(place, asking, 1), await start(place, long, 1)].map(({ id }) => id);
await sleep(500);

for (const [round, count] of COUNTS.entries()) {
  await server.stop();
  const inserting = performance.now();
  await multiply(dataDir, samples, count, COUNTS[round - 1] ?? 0);
  const inserted = (performance.now() - inserting) / 1_000;
  const starting = performance.now();
  server = await startServer({ dataDir, env: ENV });
  const ready = performance.now() - starting;
  place.api = place.api.at(server.url);
  const rss = residentMiB(server);
  const [runs, answers, wakes]: number[][] = [[], [], []];
  for (let i = 0; i < RUNS; i++) await timed(runs!, () => start(place, quick));
  for (let i = 0; i < 20; i++) {
    const { id } = await start(place, asking, 1);
    await reach(place, id, ({ status }) => status === "suspended");
    const url = `${place.space}/executions/${id}/respond`;
    await timed(answers!, async () => {
      const { status } = await place.api.patch(url, { approved: true });
      if (status !== 200) throw new Error(`An answer answered ${status}`);
      await reach(place, id, ({ status }) => status === "completed");
    });
  }
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      const began = performance.now();
      await start(place, short);
      wakes!.push(performance.now() - began - 1_500);
    }),
  );
  const line = (times: number[]) => `p50 ${median(times).toFixed(1)} p99 ${percentile(times, 99).toFixed(1)} ms`;
  const gib = statSync(join(dataDir, "weft.db")).size / 2 ** 30;
  console.log(
    `${count} suspended and ${count} delayed (${gib.toFixed(2)} GiB, added in ${inserted.toFixed(0)} s): ready in ${ready.toFixed(0)} ms, ` +
      `${rss.toFixed(0)} MiB resident, ${residentMiB(server).toFixed(0)} after the runs; a run ${line(runs!)}; ` +
      `an answer to its end ${line(answers!)}; late after a delay ${line(wakes!)}`,
  );
}

await server.stop("SIGKILL");

await rm(dataDir, { recursive: true, force: true });
