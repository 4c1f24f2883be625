// Sends many signals, half of them before their run waits, and some twice at the same moment. Then it checks each run:
// no signal may be lost or taken twice. Everything is embedded in one process.
import { setTimeout as sleep } from "node:timers/promises";
import { newWorkflow, newWorkspace, type Json } from "../test/support/api.ts";
import { definition, gives, node } from "../test/support/definition.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { bar, callerOf, eachOf, machine, untilWaits } from "./machine.ts";

const COUNT = Number(process.env.BENCH_SIGNALS ?? 10_000);
const WIDTH = 32;
/** Every signal whose number is a multiple of this is sent twice at the same time. */
const TWICE = 10;
/** How long a run waits for a second signal with its key. */
const LISTEN_MS = 2_000;
const LIMIT_MS = 300_000;

console.log(`${machine()}, one process, everything embedded`);
const server = await startServer();
try {
  const { api, space, workspaceId } = await newWorkspace(server.url);
  const { call, close } = callerOf(server.url, api.token);
  const wait = { event: "payment", key: "{{ input.order }}" };
  // The second wait receives nothing unless a signal is taken twice.
  const what = definition(
    [
      node("paid", "wait", wait),
      node("again", "wait", { ...wait, expiresInMs: LISTEN_MS }),
      gives("twice", { twice: true }),
      gives("once", { n: "{{ steps.paid.data.n }}" }),
    ],
    "paid > again",
    "again:received > twice",
    "again:timeout > once",
  );
  const workflowId = await newWorkflow(api, space, what);
  const deadline = performance.now() + LIMIT_MS;
  const until = async (what: string, done: () => Promise<boolean>) => {
    while (!(await done())) {
      if (performance.now() > deadline) throw new Error(`Not within ${LIMIT_MS / 1_000} s: ${what}`);
      await sleep(100);
    }
  };

  const delivered = { now: 0, kept: 0 };
  const signal = async (n: number) => {
    const body = { name: "payment", key: `order-${n}`, data: { n }, id: `payment-${n}` };
    const answers = await Promise.all(
      Array.from({ length: n % TWICE === 0 ? 2 : 1 }, () =>
        call("POST", `/v1/workspaces/${workspaceId}/signals`, body),
      ),
    );
    delivered[answers.every(one => one.kept === true) ? "kept" : "now"]++;
  };
  const start = async (n: number) => {
    const order = `order-${n}`;
    const { id } = await call("POST", `${space}/executions`, { workflowId, key: order, input: { order } });
    return `${space}/executions/${id}`;
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const [late, early] = [numbers(0, COUNT / 2), numbers(COUNT / 2, COUNT)];

  const began = performance.now();
  await Promise.all([
    eachOf(late, WIDTH / 2, async n => untilWaits(call, await start(n))),
    eachOf(early, WIDTH / 2, signal),
  ]);
  const half = performance.now();
  console.log(
    `${late.length} runs wait and ${early.length} signals are kept after ${((half - began) / 1_000).toFixed(0)} s`,
  );
  await Promise.all([eachOf(late, WIDTH / 2, signal), eachOf(early, WIDTH / 2, async n => void (await start(n)))]);
  await until("all runs have ended", async () => {
    const open = await call("GET", `${space}/executions?status=pending,running,suspended&limit=1`);
    return (open as Json[]).length === 0;
  });
  console.log(`all of them ended ${((performance.now() - half) / 1_000).toFixed(0)} s later`);

  const seen = new Map<number, number>();
  const wrong: string[] = [];
  for (let path: string | undefined = `${space}/executions?limit=200`; path;) {
    const { headers, body } = await api.get(path);
    await eachOf(body as Json[], WIDTH, async ({ id }) => {
      const { status, key, output } = await call("GET", `${space}/executions/${id}`);
      if (status !== "completed" || `order-${output?.n}` !== key)
        wrong.push(`${key}: ${status} ${JSON.stringify(output)}`);
      else seen.set(output.n as number, (seen.get(output.n as number) ?? 0) + 1);
    });
    path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  }
  await close();
  console.log(
    `${delivered.now} signals were delivered at once, ${delivered.kept} kept; every ${TWICE}th was sent twice; all in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  for (const one of wrong.slice(0, 20)) console.log(one);
  bar(`none of ${COUNT} signals is lost`, seen.size === COUNT);
  bar("none is taken twice, or by another run", wrong.length === 0 && [...seen.values()].every(times => times === 1));
} finally {
  await removeServer(server);
}
