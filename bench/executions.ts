// Measures the cost of an execution from the POST to its result, with everything embedded in one process and the
// callers in another. With MONGODB_URI, documents are in a separate database on that server, which is dropped at the
// end.
import { randomUUID } from "node:crypto";
import { cpus, loadavg } from "node:os";
import { MongoClient } from "mongodb";
import { Pool } from "undici";
import { newWorkflow, newWorkspace, type Json } from "../test/support/api.ts";
import { databaseAt } from "../test/support/real-servers.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { processorMs } from "./processor.ts";
import { median, percentile } from "./statistics.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);

const chain = (steps: object[]) => ({
  nodes: steps.map((step, i) => ({ id: `s${i}`, ...step })),
  edges: steps.slice(1).map((_, i) => ({
    source: `s${i}`,
    target: `s${i + 1}`,
    ...((steps[i] as { type?: string }).type === "condition" && { sourceHandle: "true" }),
  })),
});
const THREE = chain([
  { type: "transform", data: { value: { n: "{{ input.n }}" } } },
  { type: "condition", data: { if: "{{ steps.s0.n > 10 }}" } },
  { type: "transform", data: { value: "{{ steps.s0.n }}" } },
]);
const FORTY = chain(Array.from({ length: 40 }, () => ({ type: "transform", data: { value: "{{ input.n }}" } })));

interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the service for each execution. */
  processorMs: number;
}

const { MONGODB_URI, STORE_SYNC = "normal" } = process.env;
const mongodbUri = MONGODB_URI && databaseAt(MONGODB_URI, `weft_bench_${randomUUID().slice(0, 8)}`);
const server = await startServer({
  env: { STORE_SYNC, LOG_LEVEL: "warn", ...(mongodbUri && { MONGODB_URI: mongodbUri }) },
});
try {
  const { api, space } = await newWorkspace(server.url);
  const pool = new Pool(server.url, { connections: 64, pipelining: 1 });

  const run = async (workflowId: string): Promise<number> => {
    const started = performance.now();
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: `${space}/executions`,
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json", prefer: "wait=30" },
      body: JSON.stringify({ workflowId, input: { n: 42 } }),
    });
    const execution = (await body.json()) as Json;
    if (statusCode !== 201 || execution.status !== "completed" || execution.output !== 42) {
      throw new Error(`An execution answered ${statusCode}: ${JSON.stringify(execution)}`);
    }
    return performance.now() - started;
  };

  const round = async (workflowId: string, callers: number): Promise<Round> => {
    const times: number[] = [];
    const started = performance.now();
    const spent = processorMs(server);
    const end = started + SECONDS * 1_000;
    const caller = async () => {
      while (performance.now() < end) times.push(await run(workflowId));
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const perSecond = times.length / ((performance.now() - started) / 1_000);
    const each = (processorMs(server) - spent) / times.length;
    return { perSecond, p50: percentile(times, 50), p99: percentile(times, 99), processorMs: each };
  };

  const measure = async (what: string, definition: unknown, callers: number): Promise<number> => {
    const workflowId = await newWorkflow(api, space, definition);
    await round(workflowId, callers);
    const rounds: Round[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await round(workflowId, callers));
    const of = (key: keyof Round) => median(rounds.map(r => r[key]));
    const figures = `${of("perSecond").toFixed(0)}/s  p50 ${of("p50").toFixed(2)} ms  p99 ${of("p99").toFixed(2)} ms`;
    console.log(`${what.padEnd(44)} ${figures}  processor ${of("processorMs").toFixed(3)} ms`);
    return of("p50");
  };

  const [cpu] = cpus();
  const where = mongodbUri ? "documents in MongoDB" : `everything embedded, STORE_SYNC=${STORE_SYNC}`;
  console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, ${where}`);
  console.log(
    `Medians of ${ROUNDS} rounds of ${SECONDS} s, POST with Prefer: wait to the result, callers on the same machine`,
  );
  const one = await measure("transform, condition, transform; 1 caller", THREE, 1);
  await measure("transform, condition, transform; 32 callers", THREE, 32);
  const forty = await measure("40 steps one after another; 1 caller", FORTY, 1);
  console.log(`A further pure step costs ${((forty - one) / 37).toFixed(3)} ms at one caller.`);
  console.log(`Load of the machine in the last minute: ${loadavg()[0]?.toFixed(1)}`);
  await pool.close();
} finally {
  await removeServer(server);
  if (mongodbUri) {
    const client = await MongoClient.connect(mongodbUri);
    await client.db().dropDatabase();
    await client.close();
  }
}
