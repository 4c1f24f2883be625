// Measures how long the first run of one workspace waits behind thousands of queued runs of another workspace, with
// everything embedded in one process and the callers in another.
import { cpus } from "node:os";
import { Pool } from "undici";
import { newWorkflow, newWorkspace, type Json } from "../test/support/api.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { median, percentile } from "./statistics.ts";

const QUEUED = Number(process.env.BENCH_QUEUED ?? 10_000);
const TRIES = Number(process.env.BENCH_TRIES ?? 100);
/** The queued runs hold their places for different times, as calls to remote services do. */
const busyMs = (n: number) => 300 + ((n * 7_919) % 700);
const CALLERS = 64;

const busy = { nodes: [{ id: "wait", type: "delay", data: { ms: "{{ input.ms }}" } }], edges: [] };
const quick = { nodes: [{ id: "value", type: "transform", data: { value: "{{ input.n }}" } }], edges: [] };

const sync = process.env.STORE_SYNC ?? "normal";
const server = await startServer({ env: { STORE_SYNC: sync, LOG_LEVEL: "warn" } });
try {
  const pool = new Pool(server.url, { connections: CALLERS, pipelining: 1 });

  const tenant = async (definition: unknown) => {
    const { api, space } = await newWorkspace(server.url);
    const workflowId = await newWorkflow(api, space, definition);
    const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
    const count = async (status: string) =>
      ((await api.get(`${space}/executions?status=${status}&limit=200`)).body as Json[]).length;
    const start = async (input: object, prefer = "wait=0"): Promise<Json> => {
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: `${space}/executions`,
        headers: { ...headers, prefer },
        body: JSON.stringify({ workflowId, input }),
      });
      const execution = (await body.json()) as Json;
      if (statusCode !== 201) throw new Error(`A start answered ${statusCode}: ${JSON.stringify(execution)}`);
      return execution;
    };
    return { start, count };
  };

  /** Starts runs of a workspace that has nothing else queued, one after another. */
  const measure = async (what: string, start: (input: object, prefer: string) => Promise<Json>): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const started = performance.now();
      const { status, output } = await start({ n: 42 }, "wait=30");
      if (status !== "completed" || output !== 42) throw new Error(`A run is ${String(status)}.`);
      times.push(performance.now() - started);
    }
    const of = (percent: number) => percentile(times, percent).toFixed(1);
    console.log(`${what.padEnd(52)} p50 ${of(50)} ms  p90 ${of(90)} ms  p99 ${of(99)} ms`);
    return median(times);
  };

  const [cpu] = cpus();
  console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, STORE_SYNC=${sync}`);
  console.log(`Of ${TRIES} runs, POST with Prefer: wait to the result, callers on the same machine`);
  const other = await tenant(quick);
  await measure("warming up", other.start);
  const idle = await measure("nothing else is there", other.start);

  const crowd = await tenant(busy);
  let left = QUEUED;
  const caller = async () => {
    while (left-- > 0) await crowd.start({ ms: busyMs(left) });
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const behind = await measure(`somebody else has queued ${QUEUED} runs`, other.start);
  // A measurement after the queue has become empty would be meaningless.
  if ((await crowd.count("pending")) < 200) throw new Error("The queue was empty before the end.");
  console.log(`A first run waits ${(behind - idle).toFixed(1)} ms longer at the median.`);
  await pool.close();
} finally {
  await removeServer(server);
}
