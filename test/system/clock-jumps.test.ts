import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { ledgerCall, start, type Started } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";

const SHIFTED_CLOCK = pathToFileURL(join(process.cwd(), "test/support/shifted-clock.ts")).href;
const HOUR_MS = 3_600_000;

// Two workers on one store; the clock of the second one jumps, and that of the first one stays right.
describe("when the clock of a worker jumps an hour", () => {
  let ledger: Ledger;
  let dataDir: string;
  let right: Server;
  let jumping: Server;
  let api: Api;
  let space: string;
  let gate: Gate;

  beforeAll(async () => {
    // Steps named `held` wait for the gate, and those named `fails` fail at their first call.
    ledger = await Ledger.open(async ({ key, path }) => {
      if (path === "/held") await gate.opened;
      return path === "/fails" && ledger.count(key) === 1 ? { status: 500 } : undefined;
    });
    dataDir = await temporaryFolder();
    // An hour outlasts the usual lease by far, and a machine that is busy with other tests does not.
    const env = { CLOCK_FILE: join(dataDir, "clock") };
    right = await startServer({ dataDir, env });
    jumping = await startServer({ dataDir, env: { ...env, NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` } });
    ({ api, space } = await newWorkspace(right.url));
  });
  beforeEach(() => {
    gate = new Gate();
  });
  afterEach(() => jump(0));
  afterAll(async () => {
    await jumping?.stop("SIGKILL");
    await removeServer(right);
    await ledger?.close();
  });

  async function jump(jumpMs: number): Promise<void> {
    await writeFile(join(dataDir, "clock"), String(jumpMs));
    jumping.process.kill("SIGUSR2");
  }

  it.each([
    ["ahead", HOUR_MS, HOUR_MS + 2_000],
    ["back", -HOUR_MS, 2_000],
  ])("%s, every run ends once, and no wait is shortened by more than the jump", async (_, jumpMs, waitMs) => {
    const retry = { maxAttempts: 2, backoff: "fixed", initialMs: waitMs, maxMs: waitMs, jitter: 0 };
    const graphs = {
      delay: definition([node("delay", "delay", { ms: waitMs }), ledgerCall(ledger, "after")], "delay > after"),
      // So short that the worker keeps it in its hands.
      short: definition([node("delay", "delay", { ms: 900 }), ledgerCall(ledger, "after")], "delay > after"),
      retry: definition([{ ...ledgerCall(ledger, "fails"), policy: { retry } }]),
      expiry: definition(
        [node("ask", "human", { prompt: "?", expiresInMs: waitMs }), gives("late", 1)],
        "ask:timeout > late",
      ),
      held: definition([ledgerCall(ledger, "held"), ledgerCall(ledger, "after")], "held > after"),
    };
    const runs: Record<string, Started[]> = {};
    const began = performance.now();
    for (const [name, graph] of Object.entries(graphs)) {
      const workflowId = await newWorkflow(api, space, graph);
      const each = [api, api.at(jumping.url)].map(by => start(by, space, workflowId));
      runs[name] = await Promise.all(each);
    }
    const all = (name: string) => runs[name] ?? [];
    for (const { path } of all("expiry")) await untilEvent(api, path, "execution.suspended");
    for (const { path } of all("retry")) await untilEvent(api, path, "step.retrying");
    await jump(jumpMs);

    const least = Math.min(waitMs, waitMs - jumpMs);
    for (const name of ["delay", "retry", "expiry", "short"]) {
      for (const { path } of all(name)) {
        expect({ name, ...(await untilEnd(api, path)) }).toMatchObject({ name, status: "completed" });
        const shortest = name === "short" ? Math.min(900, 900 - jumpMs) : least;
        expect(performance.now() - began).toBeGreaterThanOrEqual(shortest);
      }
    }
    gate.open();
    for (const { path } of all("held")) expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });

    for (const { id, path } of Object.values(runs).flat()) {
      const log = await readLog(api, path);
      expect(log.filter(({ event }) => event === "execution.completed")).toHaveLength(1);
      if (!log.some(({ event }) => event === "step.retrying"))
        expect(await historyFaults(api, path, ledger)).toEqual([]);
      expect(ledger.count(`${id}:after`)).toBeLessThanOrEqual(1);
    }
  });

  it.each([HOUR_MS, -HOUR_MS])("by %i ms, both workers run new executions as usual", async jumpMs => {
    await jump(jumpMs);
    for (const { url } of [right, jumping]) {
      const asked = Date.now();
      const somebody = await newWorkspace(url);
      const workflowId = await newWorkflow(somebody.api, somebody.space, definition([ledgerCall(ledger, "call")]));
      const run = { workflowId };
      const { body } = await somebody.api.post(`${somebody.space}/executions`, run, { prefer: "wait=20" });
      expect(body).toMatchObject({ status: "completed" });
      // It did jump there, and only there.
      const off = Date.parse(body.createdAt as string) - asked;
      expect(Math.round(off / HOUR_MS)).toBe(url === jumping.url ? jumpMs / HOUR_MS : 0);
    }
  });
});
