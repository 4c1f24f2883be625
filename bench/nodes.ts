// Measures what callers notice when nodes die: two gateways, three workers and two nodes for the rest, over NATS, on
// one embedded store. For BENCH_SECONDS (120), under load, the benchmark injects random faults: it kills a worker, a
// gateway, NATS, or the scheduler's node in the middle of a turn, drains a worker, or suspends one for a while. Each
// killed process is replaced. Then it checks every history: a violation makes the exit code 1.
import { availableParallelism, cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../adapters/store/open-store.ts";
import type { Store } from "../adapters/store/port.ts";
import { Executions, Workers } from "../services/executions/store/model.ts";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition } from "../test/support/definition.ts";
import { ledgerCall, untilIdle } from "../test/support/executions.ts";
import { Ledger } from "../test/support/ledger.ts";
import { Load } from "../test/support/load.ts";
import { Minutes } from "../test/support/minutes.ts";
import { Nodes } from "../test/support/nodes.ts";
import { seededRandom } from "../test/support/random.ts";
import { logged, type Server, untilReady } from "../test/support/server.ts";
import { percentile } from "./statistics.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 120);
const CALLERS = Number(process.env.BENCH_CALLERS ?? 24);
const SEED = Number(process.env.BENCH_SEED ?? Date.now() % 1_000_000);
const SCHEDULES = 20;
const NATS_AWAY_MS = 2_000;
const WAIT_MS = 60_000;
const [FREEZES, FREE_MS] = [20, 500];
/** The time without faults between two injected faults. */
const QUIET_MS = 2_000;

const random = seededRandom(SEED);
const oneOf = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)]!;

const recovery = new Map<string, number[]>();
const note = (what: string, ...ms: number[]) => void recovery.set(what, [...(recovery.get(what) ?? []), ...ms]);

async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const end = performance.now() + WAIT_MS; !(await holds()); await sleep(10)) {
    if (performance.now() > end) throw new Error(`Not within ${WAIT_MS} ms: ${what}`);
  }
}

/** The worker processes, and what the store records about them. */
class Crew {
  private readonly nodes: Nodes;
  private readonly store: Store;
  private readonly ids = new Map<Server, string>();

  constructor(nodes: Nodes, store: Store) {
    this.nodes = nodes;
    this.store = store;
  }

  async add(): Promise<Server> {
    const known = new Set(this.ids.values());
    const worker = await this.nodes.worker();
    await until(async () => {
      const { items } = await this.store.global(Workers).find({}, { sort: { id: -1 }, limit: 200 });
      const fresh = items.find(({ id }) => !known.has(id));
      if (fresh) this.ids.set(worker, fresh.id);
      return fresh !== undefined;
    }, "a worker is there");
    return worker;
  }

  /** The executions that this worker holds. */
  async heldBy(worker: Server): Promise<Set<string>> {
    const workerId = this.ids.get(worker)!;
    const { items } = await this.store.acrossTenants(Executions).find({ workerId }, { limit: 1_000 });
    return new Set(items.map(({ id }) => id));
  }
}

// Each call takes as long as a call to a remote service may.
const ledger = await Ledger.open(async () => void (await sleep(20 + random() * 180)));
const nodes = await Nodes.open();
const store = await openStore({ dataDir: nodes.dataDir, sync: "normal", collections: [Executions, Workers] });
try {
  const crew = new Crew(nodes, store);
  await Promise.all([nodes.gateway(), nodes.gateway(), nodes.rest(), nodes.rest()]);
  for (let i = 0; i < 3; i++) await crew.add();
  await nodes.ready();

  const urls = () => nodes.gateways.map(({ url }) => url);
  const made = await newWorkspace(urls()[0] ?? "");
  const { space } = made;
  const key = await made.api.post(`/v1/workspaces/${made.workspaceId}/api-keys`, { name: "Bench", role: "editor" });
  // The benchmark's clocks run fast enough for sessions to expire, so it uses an API key.
  const api = made.api.as(String(key.body.key));
  const steps = ["first", "second", "third"].map(name => ledgerCall(ledger, name));
  const workflowId = await newWorkflow(api, space, definition(steps, "first > second", "second > third"));
  const minutes = await Minutes.open({ nodes, ledger, api, space }, SCHEDULES);
  await minutes.ran(await minutes.next());
  const load = new Load({ api, space, workflowId, ledger, lastStep: "third", callers: CALLERS, urls });
  const wrong: string[] = [];

  /** For each caller, the time from this moment until its next run was acknowledged. */
  async function resumed(at: number): Promise<number[]> {
    const next = (caller: number) => load.runs.find(run => run.caller === caller && run.startedAt > at);
    const callers = Array.from({ length: CALLERS }, (_, caller) => caller);
    await until(() => callers.every(caller => next(caller)), "every caller goes on");
    return callers.map(caller => next(caller)!.startedAt - at);
  }

  async function loseWorker(signal: "SIGKILL" | "SIGTERM", what: string): Promise<void> {
    const worker = oneOf(nodes.workers);
    const held = await crew.heldBy(worker);
    const at = performance.now();
    const code = await nodes.kill(worker, signal);
    if (signal === "SIGTERM" && code !== 0) wrong.push(`A worker that was asked to stop ended with ${code}`);
    const cut = load.runs.filter(({ id, doneAt = Infinity }) => held.has(id) && doneAt > at);
    await until(() => cut.every(({ doneAt }) => doneAt !== undefined), "its runs have ended");
    note(what, ...cut.map(({ doneAt = NaN }) => doneAt - at));
    const added = await crew.add();
    const there = performance.now();
    await until(async () => (await crew.heldBy(added)).size > 0, "it takes load");
    note("a worker is added: until it has a run", performance.now() - there);
  }

  /**
   * Suspends a worker outside of a write: a worker suspended in the middle of a write would hold the lock on the
   * store's file.
   */
  async function frozen(): Promise<Server> {
    for (let tries = 0; tries < FREEZES; tries++) {
      const worker = oneOf(nodes.workers);
      worker.process.kill("SIGSTOP");
      const all = store.acrossTenants(Executions);
      const written = all.updateMany({ id: "nobody" }, { $set: { lost: false } }).then(() => true);
      if (await Promise.race([written, sleep(FREE_MS, false)])) return worker;
      worker.process.kill("SIGCONT");
      await written;
    }
    throw new Error("The store was never free.");
  }

  const blows: Record<string, () => Promise<void>> = {
    worker: () => loseWorker("SIGKILL", "a worker is killed: until a run that it had has ended"),
    drain: () => loseWorker("SIGTERM", "a worker is drained: until a run that it had has ended"),
    async hang() {
      const worker = await frozen();
      note("a worker hangs: until a caller's next start", ...(await resumed(performance.now())));
      worker.process.kill("SIGCONT");
    },
    async gateway() {
      const at = performance.now();
      await nodes.kill(oneOf(nodes.gateways));
      note("a gateway is killed: until a caller's next start", ...(await resumed(at)));
      await untilReady(await nodes.gateway());
    },
    async scheduler() {
      const minute = await minutes.next();
      await minutes.ran(minute, 1);
      const at = performance.now();
      await nodes.kill(oneOf(nodes.rests));
      const starts = await resumed(at);
      note("a node for the rest is killed: until a caller's next start", ...starts);
      await minutes.ran(minute);
      note("the scheduler is killed in its turn: until all of the minute ran", performance.now() - at);
      await logged(await nodes.rest({ LOG_LEVEL: "info" }), "started successfully");
    },
    async nats() {
      await nodes.nats.kill();
      await sleep(NATS_AWAY_MS);
      await nodes.nats.start();
      note("NATS is back after 2 s: until a caller's next start", ...(await resumed(performance.now())));
    },
  };

  const began = performance.now();
  const busy: number[] = [];
  let blown = 0;
  for (let left: string[] = []; performance.now() - began < SECONDS * 1_000; blown++) {
    await sleep(QUIET_MS);
    note("nothing is killed: until a caller's next start", ...(await resumed(performance.now())));
    if (left.length === 0) left = Object.keys(blows);
    const [name = ""] = left.splice(Math.floor(random() * left.length), 1);
    await blows[name]?.();
    await load.noteSettled();
    busy.push(loadavg()[0] ?? 0);
  }
  await load.stop();
  const seconds = (performance.now() - began) / 1_000;
  await untilIdle(api.at(urls()[0] ?? ""), space);
  wrong.push(...(await load.violations()), ...minutes.violations());

  const [cpu] = cpus();
  console.log(
    `${availableParallelism()} × ${cpu?.model ?? "?"}, Node ${process.version}, load ${Math.max(...busy).toFixed(1)} at most; seed ${SEED}`,
  );
  console.log(
    `Two gateways, three workers, two for the rest, NATS, one SQLite file; ${CALLERS} callers, runs of three calls`,
  );
  console.log(
    `${load.runs.length} runs acknowledged in ${seconds.toFixed(0)} s, ${(load.runs.length / seconds).toFixed(1)}/s, through ${blown} blows`,
  );
  console.log(
    `${load.refused.length} starts answered 503, ${load.broken} broken off, the slowest answer after ${load.slowestMs.toFixed(0)} ms`,
  );
  for (const [what, times] of recovery) {
    const [p50, p99] = [50, 99].map(percent => percentile(times, percent).toFixed(0).padStart(6));
    console.log(`${what.padEnd(68)} p50 ${p50} ms  p99 ${p99} ms  of ${times.length}`);
  }
  wrong.forEach(text => console.log(`VIOLATION ${text}`));
  console.log(`${load.settledSteps} steps were known to have ended when something died; ${wrong.length} violations`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await store.close();
  await nodes.close();
  await ledger.close();
}
