// Measures how large outputs affect everything else, with as many runs with outputs of 1 MiB as with small ones: how
// fast lists and logs are read, how long a new run takes, and how much each run adds to the journal. It fails if a
// journal grows by 2 KiB or more for a large output. BENCH_RUNS sets the number of runs, and `--quick` uses 100.
// Everything is embedded in one process.
import { rm } from "node:fs/promises";
import { cpus } from "node:os";
import { openStore } from "../adapters/store/open-store.ts";
import { Executions, Journal, journalRange } from "../services/executions/store/model.ts";
import { type Api, type Json, newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { startServer, temporaryFolder } from "../test/support/server.ts";
import { median, percentile } from "./statistics.ts";

const RUNS = Number(process.env.BENCH_RUNS ?? (process.argv.includes("--quick") ? 100 : 1_000));
const CONCURRENCY = 8;
const READS = 200;
const SAMPLES = 50;
const MAX_GROWTH = 2_048;

/** Each output is different, because equal contents are stored once. */
const outputOf = (rows: number) =>
  `{{ {"run": execution.id, "rows": [1..${rows}].{"n": $, "text": "some forty characters in each of the rows"}} }}`;
const SIZES = { small: outputOf(1), large: outputOf(17_500) };

interface BenchWorkspace {
  api: Api;
  workspaceId: string;
  space: string;
}

interface Figures {
  startMs: number;
  listMs: number;
  logMs: number;
  runMs: number;
  worst: number;
  journal: number;
  output: number;
}

async function run({ api, space }: BenchWorkspace, workflowId: string): Promise<Json> {
  const { status, body } = await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=60" });
  if (status !== 201 || body.status !== "completed")
    throw new Error(`A run answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function times(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await act();
    found.push(performance.now() - began);
  }
  return found;
}

async function journalOf(dataDir: string, workspaceId: string, ids: readonly string[]): Promise<number> {
  const store = await openStore({ dataDir, sync: "normal", collections: [Executions, Journal] });
  try {
    const sizes: number[] = [];
    for (const id of ids) {
      const { items } = await store.tenant(Journal, workspaceId).find({ id: journalRange(id) }, { limit: 1_000 });
      sizes.push(Buffer.byteLength(JSON.stringify(items)));
    }
    return median(sizes);
  } finally {
    await store.close();
  }
}

async function measure(value: string): Promise<Figures> {
  const dataDir = await temporaryFolder();
  const server = await startServer({ dataDir, env: { LOG_LEVEL: "warn" } });
  try {
    const place: BenchWorkspace = await newWorkspace(server.url);
    const { api, space, workspaceId } = place;
    const workflowId = await newWorkflow(api, space, definition([gives("a", value)]));
    const quick = await newWorkflow(api, space, definition([gives("a", "{{ 1 }}")]));
    const ids: string[] = [];
    let output = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async (_, worker) => {
        for (let i = worker; i < RUNS; i += CONCURRENCY) {
          const body = await run(place, workflowId);
          output ||= JSON.stringify(body.output).length;
          ids.push(body.id as string);
        }
      }),
    );
    const startMs = (performance.now() - began) / RUNS;
    const lists = await times(READS, () => api.get(`${space}/executions?limit=50`));
    let read = 0;
    const logs = await times(READS, () => api.get(`${space}/executions/${ids[read++ % ids.length]}/logs`));
    const runs = await times(READS, () => run(place, quick));
    await server.stop();
    const journal = await journalOf(dataDir, workspaceId, ids.slice(-SAMPLES));
    const figures = { listMs: median(lists), logMs: median(logs), runMs: median(runs), worst: percentile(runs, 95) };
    return { startMs, ...figures, journal, output };
  } finally {
    await server.stop("SIGKILL").catch(() => undefined);
    await rm(dataDir, { recursive: true, force: true });
  }
}

const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, ${RUNS} runs of each kind`);
console.log("output    bytes      run     list      log   new run (p95)   journal");
const found: Partial<Record<keyof typeof SIZES, Figures>> = {};
for (const name of ["small", "large"] as const) {
  const figures = (found[name] = await measure(SIZES[name]));
  const { output, startMs, listMs, logMs, runMs, worst, journal } = figures;
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(8);
  const columns = [
    String(output).padStart(9),
    ms(startMs),
    ms(listMs),
    ms(logMs),
    `${ms(runMs)} (${worst.toFixed(1)})`,
  ];
  console.log(`${name.padEnd(7)}${columns.join(" ")}  ${journal} bytes`);
}
const growth = (found.large?.journal ?? 0) - (found.small?.journal ?? 0);
console.log(`A journal is ${growth} bytes larger with a large output.`);
if (growth >= MAX_GROWTH) {
  console.error(`That is ${MAX_GROWTH} bytes or more.`);
  process.exitCode = 1;
}
