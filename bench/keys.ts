// Measures what a key costs at the start of a run. It alternates rounds with and without one, with everything embedded
// in one process. The order within a pair alternates, so that a machine that becomes slower favours neither.
import { randomUUID } from "node:crypto";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives } from "../test/support/definition.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { bar, callerOf, machine } from "./machine.ts";
import { processorMs } from "./processor.ts";
import { median } from "./statistics.ts";

const PAIRS = Number(process.env.BENCH_PAIRS ?? 20);
const ROUND_MS = 3_000;
const CALLERS = 16;
const MAX_COST = 0.05;

console.log(`${machine()}, one process, everything embedded`);
const server = await startServer();
try {
  const { api, space } = await newWorkspace(server.url);
  const { call, close } = callerOf(server.url, api.token);
  const workflowId = await newWorkflow(
    api,
    space,
    definition(
      [gives("a", "{{ input.n }}"), gives("b", "{{ steps.a }}"), gives("c", "{{ steps.b }}")],
      "a > b",
      "b > c",
    ),
  );
  const round = async (withKey: boolean) => {
    let runs = 0;
    const [began, spent] = [performance.now(), processorMs(server)];
    const caller = async () => {
      while (performance.now() - began < ROUND_MS) {
        const body = { workflowId, input: { n: 1 }, ...(withKey && { key: randomUUID() }) };
        const { status } = await call("POST", `${space}/executions`, body, { prefer: "wait=30" });
        if (status !== "completed") throw new Error(`A run is ${status}`);
        runs++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return { perSecond: (runs * 1_000) / (performance.now() - began), ms: (processorMs(server) - spent) / runs };
  };
  await round(false);
  await round(true);
  const costs: number[] = [];
  const processor: number[] = [];
  const rates: number[][] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0;
    const [a, b] = [await round(first), await round(!first)];
    const [keyed, plain] = first ? [a, b] : [b, a];
    costs.push(1 - keyed.perSecond / plain.perSecond);
    processor.push(keyed.ms / plain.ms - 1);
    rates[0]!.push(plain.perSecond);
    rates[1]!.push(keyed.perSecond);
  }
  await close();
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const [plain, keyed] = rates.map(median) as [number, number];
  console.log(`${PAIRS} pairs of rounds of ${ROUND_MS / 1_000} s, ${CALLERS} callers, three steps a run`);
  console.log(`without a key ${plain.toFixed(0)} runs a second, with one ${keyed.toFixed(0)} (medians)`);
  console.log(
    `a key costs ${percent(median(costs))} of throughput (median of the pairs), ${percent(median(processor))} of processor time a run`,
  );
  bar(`at most ${percent(MAX_COST)} of throughput`, median(costs) <= MAX_COST);
} finally {
  await removeServer(server);
}
