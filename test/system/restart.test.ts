import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { EventStream, type StreamEvent } from "../support/events.ts";
import { ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

describe("what waits while the process is restarted", () => {
  let ledger: Ledger;
  let server: Server;
  let api: Api;
  let space: string;

  beforeAll(async () => {
    ledger = await Ledger.open();
    server = await startServer({ env: { WORKER_LEASE_MS: "500" } });
    ({ api, space } = await newWorkspace(server.url));
  });
  afterAll(async () => {
    await removeServer(server);
    await ledger.close();
  });

  const workflow = (nodes: object[], ...edges: string[]) => newWorkflow(api, space, definition(nodes, ...edges));

  async function restart(signal: NodeJS.Signals): Promise<void> {
    const { dataDir, url } = server;
    await server.stop(signal);
    server = await startServer({ env: { WORKER_LEASE_MS: "500" }, dataDir, port: Number(new URL(url).port) });
  }

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "survives a %s: a question is answered, and a delay ends in time",
    async signal => {
      const ask = node("ask", "human", { prompt: "Go on?" });
      const question = await start(api, space, await workflow([ask, ledgerCall(ledger, "go")], "ask > go"));
      const { data } = await untilEvent(api, question.path, "execution.suspended");
      // Long enough for the worker to let go of it, and to be down in the meantime.
      const until = new Date(Date.now() + 2_500).toISOString();
      const pause = node("pause", "delay", { until });
      const delay = await start(api, space, await workflow([pause, ledgerCall(ledger, "go")], "pause > go"));
      await untilEvent(api, delay.path, "step.log");
      await restart(signal);

      const suspended = await read(api, question.path);
      expect(suspended).toMatchObject({ status: "suspended", suspension: { prompt: "Go on?" } });
      expect((await readLog(api, question.path)).at(-1)).toEqual(data);
      const answer = await api.patch(`${question.path}/respond`, { data: { because: "tested" } });
      expect(answer.status).toBe(200);

      for (const { id, path } of [question, delay]) {
        expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
        expect(await historyFaults(api, path, ledger)).toEqual([]);
        expect(ledger.count(`${id}:go`)).toBe(1);
      }
      expect((await api.patch(`${question.path}/approve`)).status).toBe(409);
      const log = await readLog(api, delay.path);
      const end = log.find(entry => entry.nodeId === "pause" && entry.event === "step.completed");
      expect(end && end.at >= until).toBe(true);
    },
  );

  it("resumes an event stream after a kill, without loss and without repeat", async () => {
    const gates = new Map(["a", "b", "c"].map(step => [`/${step}`, new Gate()]));
    ledger.behaviour = async ({ path }) => {
      await gates.get(path)?.opened;
      return undefined;
    };
    const calls = ["a", "b", "c"].map(step => ledgerCall(ledger, step));
    const { id, path } = await start(api, space, await workflow(calls, "a > b", "b > c"));
    const seen: StreamEvent[] = [];
    for (const step of ["a", "b"]) {
      const stream = await EventStream.open(api, path, seen.at(-1)?.id);
      gates.get(`/${step}`)?.open();
      await stream.until("step.completed");
      await ledger.called(`${id}:${step === "a" ? "b" : "c"}`);
      await restart("SIGKILL");
      await stream.toEnd();
      seen.push(...stream.events);
    }
    gates.get("/c")?.open();
    const last = await EventStream.open(api, path, seen.at(-1)?.id);
    seen.push(...(await last.toEnd()));

    const log = await readLog(api, path);
    expect(seen.map(event => event.id)).toEqual(log.map((_, i) => i + 1));
    expect(seen.map(event => event.data)).toEqual(log);
    expect(seen.map(event => event.event)).toEqual(log.map(entry => entry.event));
    expect(await historyFaults(api, path, ledger)).toEqual([]);
    expect((await EventStream.open(api, path, seen.length)).status).toBe(204);
  });
});
