import { setTimeout as sleep } from "node:timers/promises";
import type { LogEntry } from "../../contracts/entities/execution.ts";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start, type Started, untilIdle } from "../support/executions.ts";
import { readLog } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Ledger } from "../support/ledger.ts";
import { seededRandom } from "../support/random.ts";
import { freePort } from "../support/free-port.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";

/** More of them show more, in their time: KILLS=50 npx jest killed-process */
const KILLS = Number(process.env.KILLS ?? 3);
/** The usual limit of a test that hangs, and more for each kill: a slow machine takes seconds for each start. */
const LIMIT_MS = 120_000 + 6_000 * KILLS;
const CALLERS = 30;
const env = { WORKER_LEASE_MS: "1000" };

/** call → branch on its answer → call → result, beside a branch that pauses and calls too. */
const workflow = (ledger: Ledger) =>
  definition(
    [
      node("in", "trigger"),
      ledgerCall(ledger, "first"),
      node("odd", "condition", { if: "{{ steps.first.body.value % 2 = 1 }}" }),
      ledgerCall(ledger, "whenOdd"),
      ledgerCall(ledger, "whenEven"),
      node("pause", "delay", { ms: "{{ input.pauseMs }}" }),
      ledgerCall(ledger, "aside"),
      node("result", "transform", {
        value: {
          first: "{{ steps.first.body.value }}",
          odd: "{{ steps.whenOdd.body.value }}",
          even: "{{ steps.whenEven.body.value }}",
          aside: "{{ steps.aside.body.value }}",
        },
      }),
    ],
    "in > first",
    "first > odd",
    "odd:true > whenOdd",
    "odd:false > whenEven",
    "whenOdd > result",
    "whenEven > result",
    "in > pause",
    "pause > aside",
    "aside > result",
  );

/** How many executions a space has. */
async function listedIn(api: Api, space: string): Promise<number> {
  let listed = 0;
  for (let path: string | undefined = `${space}/executions?limit=200`; path;) {
    const { headers, body } = await api.get(path);
    listed += (body as Json[]).length;
    path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  }
  return listed;
}

describe("a process that is killed again and again under load", () => {
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  let ledger: Ledger;
  let server: Server;
  let api: Api;
  let space: string;
  const acknowledged: Started[] = [];
  /** Calls that a step had made when its end was read from the log. It may never make another. */
  const settled = new Map<string, number>();
  const wrong: string[] = [`seed ${seed}`];
  let up = Promise.withResolvers<void>();
  let over = false;

  beforeAll(async () => {
    // Most answers come at once, some so late that a kill falls into the step.
    ledger = await Ledger.open(async () => {
      const late = random() < 0.2 ? random() * 60 : 0;
      if (late > 0) await sleep(late);
      return undefined;
    });
    server = await startServer({ env, dataDir: await temporaryFolder(), port: await freePort() });
    ({ api, space } = await newWorkspace(server.url));
    up.resolve();
  });
  afterAll(async () => {
    await removeServer(server);
    await ledger.close();
  });

  /** Always has one execution under way, and notes every one whose start was answered. */
  async function caller(workflowId: string): Promise<void> {
    while (!over) {
      await up.promise;
      try {
        const started = await start(api, space, workflowId, { pauseMs: Math.round(random() * 40) });
        acknowledged.push(started);
        const ended = () => ["whenOdd", "whenEven"].some(step => ledger.count(`${started.id}:${step}`) > 0);
        await ledger.until(ended, `the last call of ${started.id}`);
      } catch (error) {
        // Without a server, fetch throws a TypeError. The test's realm has another class of that name.
        if ((error as Error).name === "TypeError") await sleep(5);
        else wrong.push(String(error));
      }
    }
  }

  async function killAndRestart(round: number): Promise<void> {
    // Every third kill comes early, when what the last one cut off has just been taken up.
    const calls = 1 + Math.floor(random() * (round % 3 === 2 ? 30 : 120));
    const target = ledger.calls.length + calls;
    await ledger.until(() => ledger.calls.length >= target, `${calls} more calls before kill ${round}`);
    up = Promise.withResolvers();
    // Asking has it count what has ended, and the kill falls into that.
    api.get(`${space}/executions/stats`).catch(() => undefined);
    await server.stop("SIGKILL");
    server = await startServer({ env, dataDir: server.dataDir, port: Number(new URL(server.url).port) });
    await Promise.all(acknowledged.slice(-2 * CALLERS).map(noteSettled));
    up.resolve();
  }

  async function noteSettled({ id, path }: Started): Promise<void> {
    const log = (await read(api, `${path}/logs?limit=200`)) as LogEntry[];
    for (const { event, nodeId, nodeType } of log) {
      const key = `${id}:${nodeId}`;
      if (event === "step.completed" && nodeType === "http" && !settled.has(key)) settled.set(key, ledger.count(key));
    }
  }

  async function historyOf({ id, path }: Started): Promise<string[]> {
    const [execution, log] = await Promise.all([read(api, path), readLog(api, path)]);
    const outputs: Json = Object.fromEntries(
      log.filter(e => e.event === "step.completed").map(e => [e.nodeId, e.output]),
    );
    const { first, odd, even, aside } = execution.output ?? {};
    const recorded =
      first === outputs.first?.body.value &&
      aside === outputs.aside?.body.value &&
      (odd ?? even) === (first % 2 === 1 ? outputs.whenOdd : outputs.whenEven)?.body.value;
    return [
      ...(await historyFaults(api, path, ledger)),
      ...(execution.status === "completed" ? [] : [`${id} is ${execution.status}`]),
      ...(recorded ? [] : [`${id} went on with other results than those of its log`]),
    ];
  }

  it(
    "finishes every acknowledged execution, and repeats no finished step",
    async () => {
      const workflowId = await newWorkflow(api, space, workflow(ledger));
      const callers = Array.from({ length: CALLERS }, () => caller(workflowId));
      for (let round = 0; round < KILLS; round++) await killAndRestart(round);
      over = true;
      await Promise.all(callers);
      await untilIdle(api, space);

      for (const started of acknowledged) wrong.push(...(await historyOf(started)));
      for (const [key, calls] of settled) {
        if (ledger.count(key) !== calls) wrong.push(`${key} was called again after it had ended`);
      }
      expect(wrong).toEqual([`seed ${seed}`]);
      // The kills did cut steps off: else nothing was shown.
      const repeated = new Set(ledger.calls.map(call => call.key).filter(key => ledger.count(key) > 1));
      expect(repeated.size).toBeGreaterThan(KILLS);
      expect(settled.size).toBeGreaterThan(KILLS);
      expect(acknowledged.length).toBeGreaterThan(KILLS * 10);
      // Some were begun and never acknowledged; the statistics have each of them once.
      const listed = await listedIn(api, space);
      const counted = () => read(api, `${space}/executions/stats`);
      await eventually(async () => (await counted()).total >= listed, "everything is counted");
      expect(await counted()).toMatchObject({ total: listed, workflows: [{ byStatus: { completed: listed } }] });
    },
    LIMIT_MS,
  );
});
