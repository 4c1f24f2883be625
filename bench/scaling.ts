// Measures the throughput of one, two and four workers on one machine, the processor time of each part, and the memory
// of a running execution. The nodes share one embedded store and communicate through the benchmark's own NATS server.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { Nodes } from "../test/support/nodes.ts";
import { removeServer, startServer, type Server } from "../test/support/server.ts";
import { median, percentile } from "./statistics.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const CALLERS = 32;
const RUNNING = Number(process.env.BENCH_RUNNING ?? 5_000);
const chain = (steps: number) => definition(Array.from({ length: steps }, (_, i) => gives(`s${i}`, "{{ input.n }}")));

/**
 * Microseconds of processor time used so far, by the thread with the event loop, and by all other threads (including
 * the store's).
 */
function processorTime(pid: number): { loop: number; others: number } {
  const used = { loop: 0, others: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    used[Number(thread) === pid ? "loop" : "others"] += Number(nanoseconds) / 1_000;
  }
  return used;
}

type Parts = Record<string, number[]>;

/** Runs a workflow of this many steps for a while. Returns runs per second, their latency, and the cost of each. */
async function load(
  url: string,
  steps: number,
  parts: Parts,
): Promise<{ perSecond: number; cost: Map<string, number> }> {
  const { api, space } = await newWorkspace(url);
  const workflowId = await newWorkflow(api, space, chain(steps));
  const pool = new Pool(url, { connections: CALLERS });
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json", prefer: "wait=60" };
  const body = JSON.stringify({ workflowId, input: { n: 5 } });
  const times: number[] = [];
  const until = async (deadline: number) => {
    while (performance.now() < deadline) {
      const began = performance.now();
      const answer = await pool.request({ method: "POST", path: `${space}/executions`, headers, body });
      const { status } = (await answer.body.json()) as { status: string };
      if (status !== "completed") throw new Error(`A run answered ${answer.statusCode}, ${status}`);
      times.push(performance.now() - began);
    }
  };
  const all = (ms: number) => {
    const deadline = performance.now() + ms;
    return Promise.all(Array.from({ length: CALLERS }, () => until(deadline)));
  };
  const used = () =>
    new Map(
      Object.entries(parts).flatMap(([name, pids]) => {
        const each = pids.map(processorTime);
        const sum = (part: "loop" | "others") => each.reduce((total, time) => total + time[part], 0);
        return [[`${name}, event loop`, sum("loop")] as const, [`${name}, other threads`, sum("others")] as const];
      }),
    );
  await all(2_000);
  times.length = 0;
  const before = used();
  await all(SECONDS * 1_000);
  const cost = new Map([...used()].map(([part, time]) => [part, (time - (before.get(part) ?? 0)) / times.length]));
  await pool.close();
  const perSecond = times.length / SECONDS;
  const figures = [...cost].map(([part, us]) => `${part} ${us.toFixed(0)}`).join("; ");
  console.log(
    `  ${steps} steps: ${perSecond.toFixed(0)}/s, p50 ${median(times).toFixed(1)} p99 ${percentile(times, 99).toFixed(1)} ms; ` +
      `µs of processor time an execution: ${figures}`,
  );
  return { perSecond, cost };
}

const pidOf = ({ process: { pid = 0 } }: Server) => pid;

async function workers(count: number): Promise<void> {
  const nodes = await Nodes.open();
  try {
    const rest = nodes.rest();
    const started = [nodes.gateway(), ...Array.from({ length: count }, () => nodes.worker())];
    const [gateway, ...working] = await Promise.all(started);
    await nodes.ready();
    for (const worker of working) await nodes.joined(worker);
    console.log(`A gateway, ${count} worker(s) and a node for the rest, over NATS, on one embedded store`);
    const parts = {
      gateway: [pidOf(gateway as Server)],
      workers: working.map(pidOf),
      rest: [pidOf(await rest)],
      NATS: [nodes.nats.pid],
    };
    await load((gateway as Server).url, 3, parts);
  } finally {
    await nodes.close();
  }
}

const residentKiB = (server: Server) =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pidOf(server))], { encoding: "utf8" }));

async function running(): Promise<void> {
  const silent = createServer(socket => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  const env = { EXECUTIONS_CONCURRENCY: String(RUNNING), EXECUTIONS_PER_WORKSPACE: String(RUNNING), LOG_LEVEL: "warn" };
  const server = await startServer({ env });
  try {
    const { api, space } = await newWorkspace(server.url);
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const http = { id: "call", type: "http", data: { url }, policy: { timeoutMs: 600_000 } };
    const workflowId = await newWorkflow(api, space, definition([http]));
    const start = () => api.post(`${space}/executions`, { workflowId, input: { n: 1 } });
    for (let i = 0; i < 200; i++) await start();
    await sleep(2_000);
    const before = residentKiB(server);
    for (let i = 200; i < RUNNING; i += 50) await Promise.all(Array.from({ length: 50 }, start));
    await sleep(2_000);
    const each = (residentKiB(server) - before) / (RUNNING - 200);
    console.log(`A running execution that waits for an http answer: ${each.toFixed(1)} KiB (of ${RUNNING} at a time)`);
  } finally {
    await removeServer(server);
    silent.close();
  }
}

const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, STORE_SYNC=normal`);
const server = await startServer({ env: { LOG_LEVEL: "warn" } });
try {
  console.log("One process with everything embedded");
  const parts = { process: [pidOf(server)] };
  const [short, long] = [await load(server.url, 3, parts), await load(server.url, 40, parts)];
  const step = [...short.cost].map(([part, us]) => `${part} ${(((long.cost.get(part) ?? 0) - us) / 37).toFixed(1)}`);
  console.log(`  a further step, in µs: ${step.join("; ")}`);
} finally {
  await removeServer(server);
}
for (const count of [1, 2, 4]) await workers(count);
await running();
