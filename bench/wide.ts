// Measures wide and long work in one process with everything embedded: maps of many items, http steps, a long chain,
// and the slowest of many short runs, alternating STORE_SYNC=normal and full. It fails if a limit is exceeded.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives, node } from "../test/support/definition.ts";
import { removeServer, type Server, startServer } from "../test/support/server.ts";
import { bar, callerOf, machine } from "./machine.ts";
import { processorMs } from "./processor.ts";
import { median, percentile } from "./statistics.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const CALL_MS = 5;
const ITEMS = 10_000;
const CALLS = 1_000;
const CHAIN = 40;

const each = (extra: object) => node("each", "map", { items: "{{ input }}", ...extra });
const http = node("call", "http", { url: "{{ input.url }}" });
const names = Array.from({ length: CHAIN }, (_, i) => `s${i}`);
const DEFINITIONS = {
  items: definition([each({}), { ...gives("double", "{{ item * 2 }}"), parentId: "each" }]),
  calls: definition([each({ concurrency: 50 }), { ...node("call", "http", { url: "{{ item }}" }), parentId: "each" }]),
  call: definition([http]),
  chain: definition(
    names.map(name => gives(name, "{{ input }}")),
    ...names.slice(1).map((name, i) => `${names[i]} > ${name}`),
  ),
  short: definition([gives("a", "{{ input }}"), gives("b", 2), gives("c", 3)], "a > b", "b > c"),
};

/** Runs of these workflows in a separate, warmed-up process. */
async function benchOf(sync: "normal" | "full") {
  const server: Server = await startServer({ env: { LOG_LEVEL: "warn", STORE_SYNC: sync } });
  const { api, space } = await newWorkspace(server.url);
  const { call, close } = callerOf(server.url, api.token ?? "");
  const ids = {} as Record<keyof typeof DEFINITIONS, string>;
  for (const [name, steps] of Object.entries(DEFINITIONS))
    ids[name as keyof typeof DEFINITIONS] = await newWorkflow(api, space, steps);
  const run = async (name: keyof typeof DEFINITIONS, input: unknown): Promise<number> => {
    const began = performance.now();
    const body = { workflowId: ids[name], input };
    const { status, error } = await call("POST", `${space}/executions`, body, { prefer: "wait=60" });
    if (status !== "completed") throw new Error(`${name} ended as ${status}: ${JSON.stringify(error)}`);
    return performance.now() - began;
  };
  /** One run after another, after two for warming up. */
  const alone = async (name: keyof typeof DEFINITIONS, input: unknown, times = ROUNDS) => {
    for (let i = 0; i < 2; i++) await run(name, input);
    const before = processorMs(server);
    const took: number[] = [];
    for (let i = 0; i < times; i++) took.push(await run(name, input));
    return { p50: median(took), processor: (processorMs(server) - before) / times };
  };
  /** As many runs as these callers start in a few seconds. The first round warms up. */
  const together = async (name: keyof typeof DEFINITIONS, input: unknown, callers: number) => {
    const rounds: { perSecond: number; p50: number; p99: number; processor: number }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const [began, before, took] = [performance.now(), processorMs(server), [] as number[]];
      const end = began + SECONDS * 1_000;
      const caller = async () => {
        while (performance.now() < end) took.push(await run(name, input));
      };
      await Promise.all(Array.from({ length: callers }, caller));
      if (round < 0) continue;
      const perSecond = took.length / ((performance.now() - began) / 1_000);
      const processor = (processorMs(server) - before) / took.length;
      rounds.push({ perSecond, p50: median(took), p99: percentile(took, 99), processor });
    }
    const of = (key: "perSecond" | "p50" | "p99" | "processor") => median(rounds.map(round => round[key]));
    return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), processor: of("processor") };
  };
  const stop = async () => {
    await close();
    await removeServer(server);
  };
  return { alone, together, stop };
}

const endpoint = createServer((_, answer) => void setTimeout(() => answer.end("{}"), CALL_MS));
endpoint.listen(0, "127.0.0.1");
await once(endpoint, "listening");
const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
console.log(machine());
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const say = (what: string, { p50, processor }: { p50: number; processor: number }, most: number) =>
  bar(`${what}: ${ms(p50)} of ${ms(most)}, processor ${ms(processor)}`, p50 <= most);

const normal = await benchOf("normal");
const full = await benchOf("full");
try {
  const numbers = Array.from({ length: ITEMS }, (_, n) => n);
  say(`a map of ${ITEMS} items with a transform`, await normal.alone("items", numbers), 400);
  const urls = Array.from({ length: CALLS }, () => url);
  say(`a map of ${CALLS} calls of ${CALL_MS} ms, 50 at a time`, await normal.alone("calls", urls), 200);
  say(`${CHAIN} pure steps one after another`, await normal.alone("chain", 1, 200 * ROUNDS), 3);
  const calling = await normal.together("call", { url }, 64);
  const called = `${calling.perSecond.toFixed(0)}/s of 2000, processor ${ms(calling.processor)}`;
  bar(`one http step, 64 callers: ${called}`, calling.perSecond >= 2_000);
  const short = await normal.together("short", 1, 32);
  const most = 1.5 * short.p50 + 4;
  bar(`three pure steps, 32 callers: p50 ${ms(short.p50)}, p99 ${ms(short.p99)} of ${ms(most)}`, short.p99 <= most);
  const lasting = await full.together("short", 1, 32);
  const share = lasting.perSecond / short.perSecond;
  const rates = `${lasting.perSecond.toFixed(0)}/s of ${short.perSecond.toFixed(0)}/s`;
  bar(`STORE_SYNC=full reaches at least 0.8 of normal: ${share.toFixed(2)}, ${rates}`, share >= 0.8);
  const each = `${ms(short.processor)} normal, ${ms(lasting.processor)} full`;
  console.log(`Processor of each: ${each}. ${machine()}`);
} finally {
  await Promise.all([normal.stop(), full.stop()]);
  endpoint.close();
}
