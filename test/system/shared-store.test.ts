import { rm } from "node:fs/promises";
import { type Api, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { type Server, startServer, temporaryFolder } from "../support/server.ts";

describe("two processes on one data folder", () => {
  let ledger: Ledger;
  let dataDir: string;
  let servers: Server[] = [];
  let viaA: Api;
  let viaB: Api;
  let space: string;

  beforeAll(async () => {
    ledger = await Ledger.open();
    dataDir = await temporaryFolder();
    // Both at once, in a folder where nothing is yet: they agree on tables and secrets.
    const env = { EXECUTIONS_CONCURRENCY: "1" };
    servers = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env })]);
    const [a, b] = servers;
    const made = await newWorkspace(a?.url ?? "");
    ({ space, api: viaA } = made);
    viaB = made.api.at(b?.url ?? "");
  });
  afterAll(async () => {
    await Promise.all(servers.map(server => server.stop("SIGKILL")));
    await rm(dataDir, { recursive: true, force: true });
    await ledger.close();
  });
  beforeEach(() => {
    ledger.behaviour = () => undefined;
  });

  it("lets one process start a run, and the other read, follow and answer it", async () => {
    const ask = node("ask", "human", { prompt: "Go on?" });
    const steps = [ledgerCall(ledger, "before"), ask, ledgerCall(ledger, "after")];
    const workflowId = await newWorkflow(viaA, space, definition(steps, "before > ask", "ask > after"));
    const { id, path } = await start(viaA, space, workflowId);
    const [streamA, streamB] = await Promise.all([EventStream.open(viaA, path), EventStream.open(viaB, path)]);
    await streamB.until("execution.suspended");
    expect(await read(viaB, path)).toMatchObject({ status: "suspended" });
    expect((await viaB.patch(`${path}/approve`)).status).toBe(200);

    const [eventsA, eventsB] = await Promise.all([streamA.toEnd(), streamB.toEnd()]);
    expect(eventsB.map(event => event.id)).toEqual(eventsB.map((_, i) => i + 1));
    expect(eventsB).toEqual(eventsA);
    expect(await readLog(viaB, path)).toEqual(eventsA.map(event => event.data));
    expect(await historyFaults(viaA, path, ledger)).toEqual([]);
    expect([ledger.count(`${id}:before`), ledger.count(`${id}:after`)]).toEqual([1, 1]);
  });

  it("gives two concurrent renewals of one session the same answer, through either process", async () => {
    const person = await register(servers[0]!.url);
    const renew = (api: Api, refreshToken: string) => api.post("/v1/auth/refresh", { refreshToken });
    const first = await viaA.post("/v1/auth/login", { email: person.email, password: "correct horse battery" });
    let { refreshToken } = first.body as { refreshToken: string };
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([viaA, viaB, viaA, viaB].map(via => renew(via, refreshToken)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      ({ refreshToken } = answers[0]!.body as { refreshToken: string });
    }
  });

  it("share the work, so that one runs what exceeds the slots of the other", async () => {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    const workflowId = await newWorkflow(viaA, space, definition([ledgerCall(ledger, "call")]));
    const before = ledger.calls.length;
    const started = await Promise.all(Array.from({ length: 4 }, () => start(viaA, space, workflowId)));
    // Each has room for one, so two calls at a time are two processes at work.
    await ledger.until(() => ledger.calls.length === before + 2, "both have taken one up");
    gate.open();
    for (const { id, path } of started) {
      expect(await untilEnd(viaB, path)).toMatchObject({ status: "completed" });
      expect(await historyFaults(viaB, path, ledger)).toEqual([]);
      expect(ledger.count(`${id}:call`)).toBe(1);
    }
    expect(ledger.mostInFlight).toBe(2);
  });

  it("answers a caller that waits at one process when the other ends the run", async () => {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    const workflowId = await newWorkflow(viaA, space, definition([ledgerCall(ledger, "call")]));
    // A caller waits at each process, whichever process has the run.
    const answers = [viaA, viaB, viaA, viaB].map(api =>
      api.post(`${space}/executions`, { workflowId }, { prefer: "wait=20" }),
    );
    gate.open();
    for (const answer of answers) expect((await answer).body).toMatchObject({ status: "completed" });
  });

  it("lets one process cancel a run of the other", async () => {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    const workflowId = await newWorkflow(
      viaA,
      space,
      definition([ledgerCall(ledger, "held"), ledgerCall(ledger, "next")], "held > next"),
    );
    const { id, path } = await start(viaA, space, workflowId);
    await ledger.called(`${id}:held`);
    expect((await viaB.delete(path)).status).toBe(204);
    gate.open();
    expect(await read(viaA, path)).toMatchObject({ status: "cancelled" });
    expect((await viaA.delete(path)).status).toBe(409);
    await untilEvent(viaA, path, "execution.cancelled");
    // The process that ran it has room again once it has met the cancel in the journal.
    const next = await start(viaA, space, workflowId);
    expect(await untilEnd(viaA, next.path)).toMatchObject({ status: "completed" });
    expect(await historyFaults(viaB, path, ledger)).toEqual([]);
    expect(ledger.count(`${id}:next`)).toBe(0);
  });
});
