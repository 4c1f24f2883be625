import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition } from "../support/definition.ts";
import { eventually, ledgerCall, read, start, type Started, untilIdle } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { violations } from "../support/history.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { describeWithNats } from "../support/nats.ts";
import { Nodes } from "../support/nodes.ts";

const CALLERS = 12;
const LONG_LEASE_MS = "600000";

describeWithNats("several nodes", () => {
  let nodes: Nodes;
  let ledger: Ledger;
  let api: Api;
  let space: string;
  let workflowId: string;

  beforeAll(async () => {
    [nodes, ledger] = await Promise.all([Nodes.start({ WORKER_LEASE_MS: "1000" }), Ledger.open()]);
    ({ api, space } = await newWorkspace(nodes.gateways[0]?.url ?? ""));
    const calls = [ledgerCall(ledger, "first"), ledgerCall(ledger, "second"), ledgerCall(ledger, "third")];
    workflowId = await newWorkflow(api, space, definition(calls, "first > second", "second > third"));
  });
  afterAll(async () => {
    await nodes?.close();
    await ledger?.close();
  });
  beforeEach(() => {
    ledger.behaviour = () => undefined;
  });

  function held(name: string): Gate {
    const gate = new Gate();
    ledger.behaviour = async ({ path }) => {
      if (path === `/${name}`) await gate.opened;
      return undefined;
    };
    return gate;
  }

  it("finish every run that was acknowledged when a worker is killed, and do no finished step again", async () => {
    const acknowledged: Started[] = [];
    const refused: Json[] = [];
    let over = false;
    async function caller(via: Api): Promise<void> {
      while (!over) {
        const { status, body } = await via.post(`${space}/executions`, { workflowId });
        if (status !== 201) refused.push({ status, code: body.code });
        else {
          acknowledged.push({ id: body.id, path: `${space}/executions/${body.id}` });
          await ledger.called(`${body.id}:second`);
        }
      }
    }
    const urls = nodes.gateways.map(({ url }) => url);
    const callers = Array.from({ length: CALLERS }, (_, i) => caller(api.at(urls[i % 2] ?? "")));
    await ledger.until(() => ledger.calls.length > 100, "the load is there");
    await nodes.workers[0]?.stop("SIGKILL");
    const settled = new Map<string, number>();
    for (const { id, path } of acknowledged.slice(-3 * CALLERS)) {
      const done = (await readLog(api, path)).filter(entry => entry.event === "step.completed");
      for (const { nodeId } of done) settled.set(`${id}:${nodeId}`, ledger.count(`${id}:${nodeId}`));
    }
    const atKill = ledger.calls.length;
    await ledger.until(() => ledger.calls.length > atKill + 100, "the load goes on");
    over = true;
    await Promise.all(callers);
    await untilIdle(api, space);

    const wrong: string[] = [];
    for (const { id, path } of acknowledged) {
      if ((await read(api, path)).status !== "completed") wrong.push(`${id} did not complete`);
      wrong.push(...(await violations(api, path, ledger)));
    }
    for (const [key, calls] of settled) if (ledger.count(key) !== calls) wrong.push(`${key} was called again`);
    expect(wrong).toEqual([]);
    expect(settled.size).toBeGreaterThan(0);
    // What was under way at the killed node is not known to have happened, and only that.
    expect(refused.filter(({ status, code }) => status !== 503 || code !== "unavailable")).toEqual([]);
    expect(refused.length).toBeLessThanOrEqual(CALLERS);
  });

  it("hand over at once what a worker has that is asked to stop", async () => {
    const gate = held("second");
    const worker = await nodes.worker({ WORKER_LEASE_MS: LONG_LEASE_MS });
    await nodes.joined(worker);
    const runs: Started[] = [];
    for (let i = 0; i < 6; i++) runs.push(await start(api, space, workflowId));
    for (const { id } of runs) await ledger.called(`${id}:second`);
    expect(await worker.stop("SIGTERM")).toBe(0);
    const cut = ledger.calls.filter(call => call.cut && call.path === "/second").length;
    expect(cut).toBeGreaterThan(0);
    gate.open();
    for (const { path } of runs) {
      expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
      expect(await violations(api, path, ledger)).toEqual([]);
    }
  });

  it("answer 503 while NATS is away, lose no run, and go on by themselves once it is back", async () => {
    const gate = held("second");
    const { id, path } = await start(api, space, workflowId);
    await ledger.called(`${id}:second`);
    const waiting = api.post(`${space}/executions`, { workflowId }, { prefer: "wait=60" });
    await ledger.until(() => ledger.calls.filter(call => call.path === "/second").length >= 2, "both are held");
    const [second] = nodes.gateways.slice(1);

    await nodes.nats.kill();
    const unavailable = { status: 503, body: { status: 503, code: "unavailable" } };
    expect(await waiting).toMatchObject(unavailable);
    for (const via of [api, api.at(second?.url ?? "")]) {
      expect(await via.get(path)).toMatchObject(unavailable);
      expect(await via.post(`${space}/executions`, { workflowId })).toMatchObject(unavailable);
      const ready = await via.get("/health/ready");
      expect(ready).toMatchObject({ status: 503, body: { status: "down", dependencies: { nats: "down" } } });
      expect((await via.get("/health/live")).status).toBe(200);
    }
    // The worker goes on without it.
    gate.open();
    await ledger.called(`${id}:third`);

    await nodes.nats.start();
    await nodes.ready();
    // Each node comes back in its own time, so that a gateway may be there before a worker has found what it asks.
    for (const via of [api, api.at(second?.url ?? "")]) {
      const runs = async () => {
        const { body } = await via.post(`${space}/executions`, { workflowId }, { prefer: "wait=20" });
        return body.status === "completed";
      };
      await eventually(runs, "a run completes");
    }
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
    await untilIdle(api, space);
    const all = (await read(api, `${space}/executions?limit=200`)) as Json[];
    expect(all.filter(run => run.status !== "completed")).toEqual([]);
  });

  it("stop with code 0 while NATS is away", async () => {
    await nodes.nats.kill();
    const [gateway] = nodes.gateways;
    const [, worker] = nodes.workers;
    expect(await Promise.all([gateway?.stop(), worker?.stop()])).toEqual([0, 0]);
  });
});
