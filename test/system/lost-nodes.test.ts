import { isDeepStrictEqual } from "node:util";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { eventually, ledgerCall, read, start, startAfterAll, type Started, untilIdle } from "../support/executions.ts";
import { faultyProxy } from "../support/faulty-proxy.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { Load } from "../support/load.ts";
import { Minutes } from "../support/minutes.ts";
import { describeWithNats } from "../support/nats.ts";
import { Nodes } from "../support/nodes.ts";
import { seededRandom } from "../support/random.ts";
import { logged, type Server } from "../support/server.ts";

const CALLERS = 12;
/** Longer than any case takes: how long a step is held is not what is tested. */
const PATIENT = { policy: { timeoutMs: 120_000 } };
const LEASE = { WORKER_LEASE_MS: "2000" };
/** A lease that does not end while the test runs. */
const LONG_LEASE = { WORKER_LEASE_MS: "600000" };

describeWithNats("several nodes", () => {
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  let nodes: Nodes;
  let ledger: Ledger;
  let minutes: Minutes;
  let api: Api;
  let space: string;
  let workflowId: string;
  let load: Load | undefined;
  const gates: Gate[] = [];

  beforeAll(async () => {
    [nodes, ledger] = await Promise.all([Nodes.start({ gateways: 2, workers: 3, rests: 2 }, LEASE), Ledger.open()]);
    ({ api, space } = await newWorkspace(nodes.gateways[0]?.url ?? ""));
    const calls = ["first", "second", "third"].map(id => ({ ...ledgerCall(ledger, id), ...PATIENT }));
    workflowId = await newWorkflow(api, space, definition(calls, "first > second", "second > third"));
    minutes = await Minutes.open({ nodes, ledger, api, space }, 4);
  });
  afterAll(async () => {
    await nodes?.close();
    await ledger?.close();
  });
  afterEach(async () => {
    // A case that failed leaves the next ones neither what it holds nor its load.
    for (const gate of gates.splice(0)) gate.open();
    ledger.behaviour = () => undefined;
    await load?.stop();
  });

  const urls = () => nodes.gateways.map(({ url }) => url);
  const oneOf = (some: Server[]): Server => some[Math.floor(random() * some.length)]!;
  const callsAt = (name: string) => ledger.calls.filter(({ path }) => path === `/${name}`);

  /** Calls of this step are not answered before the gate opens. */
  function held(name: string, only: (key: string) => boolean = () => true): Gate {
    const gate = new Gate();
    gates.push(gate);
    ledger.behaviour = async ({ path, key }) => {
      if (path === `/${name}` && only(key)) await gate.opened;
      return undefined;
    };
    return gate;
  }

  async function readiness(via: Api): Promise<unknown[]> {
    const { status, body } = await via.get("/health/ready");
    return [status, body.status, body.dependencies.nats];
  }

  async function isLoaded(more = 80): Promise<void> {
    const before = ledger.calls.length;
    await ledger.until(() => ledger.calls.length > before + more, "the load goes on");
  }

  /** To their end, and with histories in which nothing is wrong. */
  async function allCompleted(runs: readonly Started[]): Promise<void> {
    const wrong = runs.map(async ({ path }) => {
      expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
      return historyFaults(api, path, ledger);
    });
    expect((await Promise.all(wrong)).flat()).toEqual([]);
  }

  it("lose no run and repeat no step when a worker, a gateway and the scheduler's node are killed under load", async () => {
    const followed = await start(api, space, workflowId);
    await ledger.called(`${followed.id}:third`);
    const long = await start(api, space, workflowId);
    const gate = held("second", key => key.startsWith(long.id));
    /** On a machine that is this busy, what it takes to open a stream may come too late. */
    const follow = async (via: Api, lastId?: number): Promise<EventStream> => {
      const streams: EventStream[] = [];
      const isAnswered = async () =>
        streams.unshift(await EventStream.open(via, long.path, lastId)) > 0 && streams[0]?.status !== 503;
      await eventually(isAnswered, "a stream is answered");
      expect(streams[0]?.status).toBe(200);
      return streams[0]!;
    };
    const streams = await Promise.all(urls().map(url => follow(api.at(url))));
    load = new Load({ api, space, workflowId, ledger, lastStep: "second", callers: CALLERS, urls });
    await isLoaded();

    async function killGateway(): Promise<void> {
      const gone = oneOf(nodes.gateways);
      const [lost] = streams.splice(nodes.gateways.indexOf(gone), 1);
      await nodes.kill(gone);
      while (await lost?.next());
      expect(lost?.broken).toBe(true);
      // Its client comes back at another gateway; who was there already notices nothing.
      api = api.at(urls()[0] ?? "");
      streams.push(await follow(api, lost?.lastId));
      streams.at(-1)?.events.push(...(lost?.events ?? []));
    }

    /** In the middle of its turn. */
    async function killScheduler(): Promise<void> {
      const minute = await minutes.next();
      await minutes.ran(minute, 1);
      await nodes.kill(oneOf(nodes.rests));
      await minutes.lapse();
      await minutes.ran(minute);
    }

    const kills = [() => nodes.kill(oneOf(nodes.workers)), killGateway, killScheduler];
    await minutes.ran(await minutes.next());
    while (kills.length > 0) {
      const [kill] = kills.splice(Math.floor(random() * kills.length), 1);
      await kill?.();
      await load.noteSettled();
      await isLoaded();
    }
    await minutes.ran(await minutes.next());
    gate.open();
    await load.stop();
    await untilIdle(api, space);

    expect([`seed ${seed}`, ...(await load.violations()), ...minutes.violations()]).toEqual([`seed ${seed}`]);
    expect(load.settledSteps).toBeGreaterThan(0);
    // What was under way at a killed node is not known to have happened, and only that.
    expect(load.refused.length + load.broken).toBeLessThanOrEqual(6 * CALLERS);
    const log = await readLog(api, long.path);
    expect(log.at(-1)).toMatchObject({ event: "execution.completed" });
    for (const stream of streams) expect((await stream.toEnd()).map(({ data }) => data as unknown)).toEqual(log);
  });

  it("share load with an added node, tolerate its loss of NATS, take it back, and continue its runs when it stops", async () => {
    const proxy = await faultyProxy(nodes.nats.url);
    try {
      const NATS_URL = proxy.url.replace("http:", "nats:");
      const env = { NATS_URL, SERVICES: "executions,schedules,workflows,pods,workspaces,identity" };
      const worker = await nodes.rest({ ...env, ...LONG_LEASE, LOG_LEVEL: "info" });
      // Its clock is ahead, and its lease is longer than theirs. No worker may take another for dead.
      await logged(worker, "started successfully");
      let gate = held("second");
      const runs: Started[] = [];
      const another = async () => runs.push(await start(api, space, workflowId));
      const takesLoad = async () => (await another()) >= 6 && (await nodes.heldBy(worker)) > 0;
      await eventually(takesLoad, "it has runs in its hands");

      proxy.block(true);
      // No caller waits for it. Calls that were under way when it was cut off have an unknown outcome.
      for (let i = 0; i < 6; i++) runs.push(await startAfterAll(api, space, workflowId));
      // Both schedulers see the minute, and the other one's lock lapse.
      const minute = await minutes.next();
      await minutes.ran(minute, 1);
      await minutes.lapse();
      await minutes.ran(minute);
      // It goes on with what it has: the journal says what is done.
      gate.open();
      await allCompleted(runs);
      for (const { id } of runs) {
        for (const step of ["first", "second", "third"]) expect(ledger.count(`${id}:${step}`)).toBe(1);
      }
      proxy.block(false);
      await minutes.ran(await minutes.next());
      expect(minutes.violations()).toEqual([]);

      gate = held("second");
      runs.length = 0;
      await eventually(takesLoad, "it is back, and has runs in its hands");
      for (const { id } of runs) await ledger.called(`${id}:second`);
      expect(await nodes.kill(worker, "SIGTERM")).toBe(0);
      const cut = callsAt("second").filter(call => call.cut && runs.some(({ id }) => call.key.startsWith(id)));
      expect(cut.length).toBeGreaterThan(0);
      gate.open();
      await allCompleted(runs);
    } finally {
      await proxy.close();
    }
  });

  it("answer 503 while NATS is unavailable, also at their start, lose no run, and recover when it is back", async () => {
    const gate = held("second");
    const { id, path } = await start(api, space, workflowId);
    await ledger.called(`${id}:second`);
    const atSecond = callsAt("second").length;
    const waiting = api.post(`${space}/executions`, { workflowId }, { prefer: "wait=60" });
    await ledger.until(() => callsAt("second").length > atSecond, "both are held");

    await nodes.nats.kill();
    const unavailable = { status: 503, body: { status: 503, code: "unavailable" } };
    expect(await waiting).toMatchObject(unavailable);
    const { url: late } = await nodes.gateway();
    const isThere = () =>
      fetch(`${late}/health/live`).then(
        answer => answer.ok,
        () => false,
      );
    const saysSo = async (url: string) => {
      if (url === late) await eventually(isThere, "a gateway lives that started without NATS");
      const via = api.at(url);
      for (const answer of [await via.get(path), await via.post(`${space}/executions`, { workflowId })]) {
        expect(answer).toMatchObject(unavailable);
        expect(answer.headers.get("retry-after")).toBe("1");
      }
      const notReady = async () => isDeepStrictEqual(await readiness(via), [503, "down", "down"]);
      await eventually(notReady, "it says that it is not ready");
      expect((await via.get("/health/live")).status).toBe(200);
    };
    await Promise.all(urls().map(saysSo));
    // The worker goes on without it.
    gate.open();
    await ledger.called(`${id}:third`);

    await nodes.nats.start();
    await nodes.ready();
    // Each node comes back in its own time, so that a gateway may be there before a worker has found what it asks.
    for (const url of urls()) {
      const runs = async () => {
        const { body } = await api.at(url).post(`${space}/executions`, { workflowId }, { prefer: "wait=20" });
        return body.status === "completed";
      };
      await eventually(runs, "a run completes");
    }
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
    await untilIdle(api, space);
    const all = (await read(api, `${space}/executions?limit=200`)) as Json[];
    expect(all.filter(run => run.status !== "completed")).toEqual([]);
  });

  it("stop with code 0 while NATS is unavailable", async () => {
    await nodes.nats.kill();
    const some = [nodes.gateways, nodes.workers, nodes.rests].flatMap(list => list.slice(0, 1));
    expect(await Promise.all(some.map(node => node.stop()))).toEqual([0, 0, 0]);
  });
});
