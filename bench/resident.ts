// Measures the resident memory of one process with everything embedded: idle, during ten minutes of short runs by 32
// callers, and after them. It fails if a limit is exceeded.
import { setTimeout as sleep } from "node:timers/promises";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { freePort } from "../test/support/free-port.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { bar, callerOf, machine, residentMiB } from "./machine.ts";

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const CALLERS = 32;
const IDLE_S = 60;
const IDLE_MIB = 200;
const BUSY_MIB = 300;
const STEPS = definition([gives("a", "{{ input }}"), gives("b", 2), gives("c", 3)], "a > b", "b > c");

const metricsPort = await freePort();
const server = await startServer({ env: { LOG_LEVEL: "warn", METRICS_PORT: String(metricsPort) } });
try {
  console.log(machine());
  const heapMiB = async () => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^nodejs_heap_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(page)?.[1]) / 1_048_576;
  };
  const say = async (what: string): Promise<number> => {
    const resident = residentMiB(server);
    const heap = (await heapMiB()).toFixed(0);
    console.log(`${what.padEnd(28)} ${resident.toFixed(0)} MiB resident, ${heap} MiB of them objects of JavaScript`);
    return resident;
  };
  await sleep(IDLE_S * 1_000);
  const idle = await say(`idle for ${IDLE_S} s`);

  const { api, space } = await newWorkspace(server.url);
  const workflowId = await newWorkflow(api, space, STEPS);
  const { call, close } = callerOf(server.url, api.token ?? "");
  const end = performance.now() + MINUTES * 60_000;
  let runs = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    for (; performance.now() < end; runs++)
      await call("POST", `${space}/executions`, { workflowId, input: 42 }, { prefer: "wait=30" });
  });
  let busy = 0;
  for (let minute = 1; minute <= MINUTES; minute++) {
    await sleep(60_000);
    busy = Math.max(busy, await say(`${runs} runs in ${minute} min`));
  }
  await Promise.all(callers);
  await close();
  await sleep(IDLE_S * 1_000);
  await say(`idle again for ${IDLE_S} s`);
  bar(`idle, at most ${IDLE_MIB} MiB: ${idle.toFixed(0)}`, idle <= IDLE_MIB);
  bar(`at ${CALLERS} callers, at most ${BUSY_MIB} MiB: ${busy.toFixed(0)}`, busy <= BUSY_MIB);
} finally {
  await removeServer(server);
}
