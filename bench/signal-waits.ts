// Measures how soon a signal finds its run among many waiting runs with different keys, and the memory of the waiting
// runs. Waiting runs are copies of one that the engine stored. Everything is embedded in one process.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { openStore } from "../adapters/store/open-store.ts";
import { type ExecutionDoc, Executions, Journal, journalId } from "../services/executions/store/model.ts";
import { type WaitDoc, Waits } from "../services/executions/store/signal-model.ts";
import { placeOf } from "../services/executions/store/waits.ts";
import { newWorkflow, newWorkspace } from "../test/support/api.ts";
import { definition, gives, node } from "../test/support/definition.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { bar, callerOf, eachOf, machine, residentMiB, untilWaits } from "./machine.ts";
import { processorMs } from "./processor.ts";
import { median, percentile } from "./statistics.ts";

const COUNT = Number(process.env.BENCH_WAITS ?? 100_000);
const SIGNALS = 500;
const BATCH = 500;
const MAX_MEDIAN_MS = 10;
/** The additional memory that waiting runs may use: about half a kilobyte for each of 100,000. */
const MAX_MORE_MIB = 48;
const SAMPLE = "order-sample";

/** Copies a waiting run with its journal and its wait, under new ids and keys. Returns the keys. */
async function multiply(dataDir: string, sample: string): Promise<string[]> {
  const store = await openStore({ dataDir, sync: "normal", collections: [Executions, Journal, Waits] });
  const doc = (await store.acrossTenants(Executions).find({ id: sample }, { limit: 1 })).items[0] as ExecutionDoc;
  if (doc.queued || doc.workerId) throw new Error("The run that is copied does not rest yet.");
  const wait = (await store.acrossTenants(Waits).find({ executionId: sample }, { limit: 1 })).items[0] as WaitDoc;
  const range = { $gt: sample, $lt: `${sample};` };
  const { items: appends } = await store.acrossTenants(Journal).find({ id: range }, { limit: 50 });
  const keys = Array.from({ length: COUNT }, (_, n) => `order-${n}`);
  for (let from = 0; from < COUNT; from += BATCH) {
    const made = keys.slice(from, from + BATCH).map(key => ({ id: uuid(), key }));
    await store.acrossTenants(Executions).insertMany(made.map(({ id, key }) => ({ ...doc, id, key, openKey: key })));
    await store.acrossTenants(Journal).insertMany(
      made.flatMap(({ id, key }) =>
        appends.map(append => ({
          ...append,
          ...{ id: journalId(id, append.seq), executionId: id },
          entries: JSON.parse(JSON.stringify(append.entries).replaceAll(SAMPLE, key)) as typeof append.entries,
        })),
      ),
    );
    await store.acrossTenants(Waits).insertMany(
      made.map(({ id, key }) => {
        const place = placeOf(id, wait.at);
        return { ...wait, id: `${place}:${wait.attempt}`, executionId: id, place, key };
      }),
    );
  }
  await store.close();
  return keys;
}

console.log(`${machine()}, one process, everything embedded`);
let server = await startServer();
try {
  const { dataDir } = server;
  const { api, space, workspaceId } = await newWorkspace(server.url);
  const what = definition(
    [node("paid", "wait", { event: "payment", key: "{{ input.order }}" }), gives("done", "{{ steps.paid.data.n }}")],
    "paid > done",
  );
  const workflowId = await newWorkflow(api, space, what);
  let { call, close } = callerOf(server.url, api.token);
  const signals = `/v1/workspaces/${workspaceId}/signals`;
  const waiting = async (order: string): Promise<string> => {
    const { id } = await call("POST", `${space}/executions`, { workflowId, key: order, input: { order } });
    await untilWaits(call, `${space}/executions/${id}`);
    return id as string;
  };
  const send = async (key: string, n: number): Promise<number> => {
    const began = performance.now();
    const { delivered } = await call("POST", signals, { name: "payment", key, data: { n } });
    if (delivered !== 1) throw new Error(`The signal ${key} was delivered to ${delivered} runs.`);
    return performance.now() - began;
  };
  const sample = await waiting(SAMPLE);
  /** Starts waiting runs, as many at the same time as in a busy process. */
  const begin = async (name: string): Promise<string[]> => {
    const begun = Array.from({ length: SIGNALS }, (_, n) => `${name}-${n}`);
    await eachOf(begun, 8, async key => void (await waiting(key)));
    return begun;
  };
  const sendAll = async (keys: string[]): Promise<string> => {
    const [times, spent]: [number[], number] = [[], processorMs(server)];
    for (const [n, key] of keys.entries()) times.push(await send(key, n));
    medians.push(median(times));
    const each = (processorMs(server) - spent) / keys.length;
    return `p50 ${median(times).toFixed(2)} ms, p99 ${percentile(times, 99).toFixed(2)} ms, processor ${each.toFixed(2)} ms with the run's end`;
  };
  const medians: number[] = [];
  const again = async () => {
    await close();
    await server.stop();
    server = await startServer({ dataDir });
    ({ call, close } = callerOf(server.url, api.token));
  };
  await again();
  console.log(`signals among ${SIGNALS} waiting runs: ${await sendAll(await begin("alone"))}`);
  const alone = residentMiB(server);

  await close();
  await server.stop();
  const began = performance.now();
  const keys = await multiply(dataDir, sample);
  console.log(`${COUNT} waiting runs with keys, added in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const starting = performance.now();
  server = await startServer({ dataDir });
  ({ call, close } = callerOf(server.url, api.token));
  console.log(
    `ready in ${(performance.now() - starting).toFixed(0)} ms, ${residentMiB(server).toFixed(0)} MiB resident`,
  );
  await begin("beside");
  const chosen = Array.from({ length: SIGNALS }, () => keys.splice(randomInt(keys.length), 1)[0]!);
  console.log(`signals among ${COUNT} waiting runs: ${await sendAll(chosen)}`);
  const beside = residentMiB(server);
  for (let status = ""; status !== "completed"; await sleep(20)) {
    [{ status }] = await call("GET", `${space}/executions?key=${chosen.at(-1)}`);
  }
  await close();
  console.log(`resident: ${alone.toFixed(0)} MiB without the many waiting runs, ${beside.toFixed(0)} MiB with them`);
  bar(`a signal finds its run within ${MAX_MEDIAN_MS} ms at the median`, medians.at(-1)! <= MAX_MEDIAN_MS);
  bar(`at most ${MAX_MORE_MIB} MiB more with ${COUNT} waiting runs`, beside - alone <= MAX_MORE_MIB);
} finally {
  await removeServer(server);
}
