// Compares Weft with @moleculer/workflows on Redis (append-only file every second), alternating on one machine: the
// same three small steps, started over HTTP, with the result in the same response. It needs `redis-server` in PATH, and
// npm to install bench/peers into a temporary folder. WORKFLOWS_PACKAGE names another package to install, such as a
// folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { freePort } from "../test/support/free-port.ts";
import { removeServer, type Server, startServer } from "../test/support/server.ts";
import { bar, machine, residentMiB } from "./machine.ts";
import { processorMs } from "./processor.ts";
import { median } from "./statistics.ts";
import { type Load, loadWith, type Target } from "./wrk.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const START_MS = 30_000;
const THREE = {
  nodes: [
    { id: "a", type: "transform", data: { value: { n: "{{ input.n }}" } } },
    { id: "b", type: "condition", data: { if: "{{ steps.a.n > 10 }}" } },
    { id: "c", type: "transform", data: { value: "{{ steps.a.n }}" } },
  ],
  edges: [
    { source: "a", target: "b" },
    { source: "b", sourceHandle: "true", target: "c" },
  ],
};

interface Rival {
  name: string;
  /** The request that starts a run and returns its output. */
  target: Target;
  /** The processor time so far, and the memory, of all its processes. */
  processorMs(): number;
  residentMiB(): number;
  stop(): Promise<void>;
}
interface Round extends Load {
  /** Processor time of a run, in ms. */
  processor: number;
}

async function startWeft(): Promise<Rival> {
  const server = await startServer({ env: { LOG_LEVEL: "warn" } });
  const { api, space } = await newWorkspace(server.url);
  const workflowId = await newWorkflow(api, space, THREE);
  return {
    name: "Weft",
    target: {
      url: `${server.url}${space}/executions`,
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json", prefer: "wait=30" },
      body: { workflowId, input: { n: 42 } },
    },
    processorMs: () => processorMs(server),
    residentMiB: () => residentMiB(server),
    async stop() {
      await removeServer(server);
    },
  };
}

/** Waits for a line of a process with this prefix, and returns the rest. */
async function lineOf(child: ChildProcess, begin: string): Promise<string> {
  let output = "";
  child.stdout?.on("data", (data: Buffer) => (output += data.toString()));
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(20)) {
    const line = output.split("\n").find(text => text.includes(begin));
    if (line !== undefined) return line.slice(line.indexOf(begin) + begin.length).trim();
    if (child.exitCode !== null) break;
  }
  throw new Error(`A process did not print ${JSON.stringify(begin)}:\n${output}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function startPeer(): Promise<Rival> {
  const folder = await mkdtemp(join(tmpdir(), "weft-peers-"));
  const started: ChildProcess[] = [];
  const stopAll = async () => {
    await Promise.all(started.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await cp(join(import.meta.dirname, "peers"), folder, { recursive: true });
    const { WORKFLOWS_PACKAGE } = process.env;
    const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
    if (WORKFLOWS_PACKAGE) install.push("--install-links", `@moleculer/workflows@${WORKFLOWS_PACKAGE}`);
    execFileSync("npm", install, { cwd: folder, stdio: "inherit" });
    const port = await freePort();
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
    const stdio = ["ignore", "pipe", "inherit"] as ["ignore", "pipe", "inherit"];
    const redis = spawn("redis-server", [...args, "--appendonly", "yes", "--appendfsync", "everysec"], { stdio });
    started.push(redis);
    await Promise.race([
      lineOf(redis, "Ready to accept connections"),
      once(redis, "error").then(([error]) => Promise.reject(error as Error)),
    ]);
    const env = { PATH: process.env.PATH, NODE_ENV: "production", REDIS_URL: `redis://127.0.0.1:${port}` };
    const peer = spawn("node", ["moleculer-workflows.js"], { cwd: folder, env, stdio });
    started.push(peer);
    const url = `http://127.0.0.1:${await lineOf(peer, "listening ")}/`;
    const sum = (of: (server: Server) => number) =>
      started.reduce((all, child) => all + of({ process: child } as Server), 0);
    return {
      name: "@moleculer/workflows",
      target: { url, headers: { "content-type": "application/json" }, body: { n: 42 } },
      processorMs: () => sum(processorMs),
      residentMiB: () => sum(residentMiB),
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Starts one run, and throws unless the response is the output of its last step. */
async function check({ name, target: { url, headers, body } }: Rival): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const { output } = (await answer.json()) as { output: unknown };
  if (output !== 42) throw new Error(`${name} answered ${JSON.stringify(output)}`);
}

async function round(rival: Rival, callers: number): Promise<Round> {
  await check(rival);
  const before = rival.processorMs();
  const load = await loadWith(rival.target, callers, SECONDS);
  return { ...load, processor: (rival.processorMs() - before) / load.requests };
}

/** Measures both alternately, so that other work of the machine affects both. The first round warms up. */
async function compare(rivals: readonly [Rival, Rival], callers: number): Promise<[Round, Round]> {
  const rounds: [Round[], Round[]] = [[], []];
  for (let i = -1; i < ROUNDS; i++) {
    for (const [place, rival] of rivals.entries()) {
      const figures = await round(rival, callers);
      if (i >= 0) rounds[place]?.push(figures);
    }
  }
  const medianOf = (of: Round[]): Round => {
    const mid = (key: keyof Round) => median(of.map(figures => figures[key]));
    return {
      requests: mid("requests"),
      perSecond: mid("perSecond"),
      p50: mid("p50"),
      p99: mid("p99"),
      processor: mid("processor"),
    };
  };
  const [weft, peer] = rounds.map(medianOf) as [Round, Round];
  for (const [rival, { perSecond, p50, p99, processor }] of [
    [rivals[0], weft],
    [rivals[1], peer],
  ] as const) {
    const speed = `${perSecond.toFixed(0)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`;
    const cost = `processor ${processor.toFixed(3)} ms  ${rival.residentMiB().toFixed(0)} MiB`;
    console.log(`${rival.name.padEnd(22)} ${String(callers).padStart(2)} callers  ${speed}  ${cost}`);
  }
  return [weft, peer];
}

console.log(machine());
const peer = await startPeer();
const weft = await startWeft().catch(async (error: unknown) => {
  await peer.stop();
  throw error;
});
try {
  const [alone] = await compare([weft, peer], 1);
  const [ours, theirs] = await compare([weft, peer], 32);
  const times = ours.perSecond / theirs.perSecond;
  const tail = ours.p99 / theirs.p99;
  bar(`32 callers, at least 1.6 times the throughput: ${times.toFixed(2)}`, times >= 1.6);
  bar(`32 callers, p99 at most 0.7 of the other's: ${tail.toFixed(2)}`, tail <= 0.7);
  bar(`1 caller, p50 at most 0.6 ms: ${alone.p50.toFixed(2)} ms`, alone.p50 <= 0.6);
  console.log(machine());
} finally {
  await Promise.all([weft.stop(), peer.stop()]);
}
