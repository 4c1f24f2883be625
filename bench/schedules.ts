// Measures the minute in which 10,000 schedules are due: how soon all of them have started, and how long users wait
// meanwhile who start executions by hand. Everything is embedded in one process. The schedules are due at its next
// tick.
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { withSchedules } from "../test/support/schedules.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { schedules, type ScheduleDoc } from "../services/schedules/model.ts";
import { percentile } from "./statistics.ts";

const COUNT = Number(process.env.BENCH_SCHEDULES ?? 10_000);
/** Schedules per workspace. */
const EACH = Number(process.env.BENCH_PER_WORKSPACE ?? COUNT);
const MINUTE_MS = 60_000;
const LIMIT_MS = 120_000;

const server = await startServer({ env: { LOG_LEVEL: "warn" } });
try {
  const graph = definition([gives("a", "{{ input.n + 1 }}")]);
  const tenants = await Promise.all(
    Array.from({ length: Math.ceil(COUNT / EACH) }, async () => {
      const made = await newWorkspace(server.url);
      return { ...made, workflowId: await newWorkflow(made.api, made.space, graph) };
    }),
  );
  const visitor = await newWorkspace(server.url);
  const visited = await newWorkflow(visitor.api, visitor.space, graph);

  const run = async (at: typeof visitor, workflowId: string): Promise<number> => {
    const began = performance.now();
    const { status, body } = await at.api.post(
      `${at.space}/executions`,
      { workflowId, input: { n: 1 } },
      { prefer: "wait=60" },
    );
    if (status !== 201 || body.status !== "completed") throw new Error(`A run answered ${status}`);
    return performance.now() - began;
  };
  const quiet = await Promise.all(Array.from({ length: 20 }, () => run(visitor, visited)));

  await withSchedules(server.dataDir, async store => {
    const now = new Date();
    const due = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
    const docs = Array.from({ length: COUNT }, (_, i): ScheduleDoc => {
      const { workspaceId, workflowId, api } = tenants[Math.floor(i / EACH)]!;
      const scope = { id: uuid(), workspaceId, spaceId: workspaceId, workflowId, createdBy: api.userId };
      const content = { cronExpr: "0 0 1 1 *", input: { n: i }, bytes: 10, enabled: true };
      return { ...scope, ...content, nextRunAt: due, countedFrom: now, createdAt: now, updatedAt: now };
    });
    const all = store.acrossTenants(schedules);
    for (let i = 0; i < COUNT; i += 1_000) await all.insertMany(docs.slice(i, i + 1_000));
    const waiting = () => all.count({ nextRunAt: { $lte: due } });

    while ((await waiting()) === COUNT) await sleep(20);
    const began = performance.now();
    const [others, same]: [number[], number[]] = [[], []];
    let over = false;
    const people = [
      { times: others, go: () => run(visitor, visited) },
      { times: same, go: () => run(tenants[0]!, tenants[0]!.workflowId) },
    ].map(async ({ times, go }) => {
      for (; !over; await sleep(50)) times.push(await go());
    });
    while ((await waiting()) > 0 && performance.now() - began < LIMIT_MS) await sleep(50);
    const seconds = (performance.now() - began) / 1_000;
    over = true;
    await Promise.all(people);

    const [cpu] = cpus();
    const line = (times: number[]) =>
      `p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms, of ${times.length}`;
    console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, everything embedded`);
    console.log(
      `${COUNT} schedules due at once in ${tenants.length} workspaces: all started in ${seconds.toFixed(1)} s`,
    );
    console.log(`A run by hand from POST to its result, before:           ${line(quiet)}`);
    console.log(`Meanwhile, in another workspace:                         ${line(others)}`);
    console.log(`Meanwhile, in a workspace with those schedules:          ${line(same)}`);
  });
} finally {
  await removeServer(server);
}
