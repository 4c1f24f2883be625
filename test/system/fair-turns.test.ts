import { setTimeout as sleep } from "node:timers/promises";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition } from "../support/definition.ts";
import { ledgerCall, start, type Started, untilIdle } from "../support/executions.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

interface Workspace {
  api: Api;
  space: string;
  workflowId: string;
}

describe("turns between workspaces", () => {
  let ledger: Ledger;
  /** Has room for one execution at a time. */
  let narrow: Server;
  /** Two processes on one store, which let a workspace have three at a time. */
  let limited: Server;
  let second: Server;

  beforeAll(async () => {
    const env = { EXECUTIONS_PER_WORKSPACE: "3" };
    const pair = async () => {
      limited = await startServer({ env });
      second = await startServer({ env, dataDir: limited.dataDir });
    };
    [narrow] = await Promise.all([startServer({ env: { EXECUTIONS_CONCURRENCY: "1" } }), pair()]);
  });
  afterAll(async () => {
    await second?.stop("SIGKILL");
    await Promise.all([narrow, limited].map(removeServer));
  });
  beforeEach(async () => {
    ledger = await Ledger.open();
  });
  afterEach(() => ledger.close());

  const workspace = async (url: string): Promise<Workspace> => {
    const { api, space } = await newWorkspace(url);
    return { api, space, workflowId: await newWorkflow(api, space, definition([ledgerCall(ledger, "call")])) };
  };

  async function startMany(count: number, { api, space, workflowId }: Workspace, callers = 20): Promise<Started[]> {
    const started: Started[] = [];
    const one = async () => {
      while (started.length < count) {
        const place = started.push({ id: "", path: "" }) - 1;
        started[place] = await start(api, space, workflowId);
      }
    };
    await Promise.all(Array.from({ length: callers }, one));
    return started;
  }

  /** Holds every answer back until the gate is opened, and a little from then on. */
  function slowLedger(): Gate {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      await sleep(10);
      return undefined;
    };
    return gate;
  }

  it("let another workspace's first execution pass a hundred queued ones", async () => {
    const gate = slowLedger();
    const busy = await workspace(narrow.url);
    const other = await workspace(narrow.url);
    const queued = await startMany(100, busy);
    const first = await start(other.api, other.space, other.workflowId);
    const before = ledger.calls.length;
    gate.open();
    await ledger.called(`${first.id}:call`);

    // One was under way, and a few more may have been taken up at the moment of the start.
    expect(before).toBeLessThanOrEqual(1);
    const place = ledger.calls.findIndex(call => call.key === `${first.id}:call`);
    expect(place - before).toBeLessThanOrEqual(3);
    await untilIdle(busy.api, busy.space);
    expect(queued.map(({ id }) => ledger.count(`${id}:call`))).toEqual(queued.map(() => 1));
    expect(ledger.mostInFlight).toBe(1);
  });

  it("alternate between workspaces, even if one starts many executions at once", async () => {
    const gate = slowLedger();
    const spaces = await Promise.all(Array.from({ length: 3 }, () => workspace(narrow.url)));
    const started: Set<string>[] = [];
    for (const [i, each] of spaces.entries()) {
      const queued = await startMany(20, each, i === 0 ? 20 : 1);
      started.push(new Set(queued.map(({ id }) => `${id}:call`)));
    }
    gate.open();
    for (const { api, space } of spaces) await untilIdle(api, space);

    // One run of the first workspace was under way before there was a queue.
    const early = ledger.calls.slice(1, 31).map(call => call.key);
    const shares = started.map(keys => early.filter(key => keys.has(key)).length);
    expect(Math.min(...shares)).toBe(10);
    expect(ledger.mostInFlight).toBe(1);
  });

  it("keep a workspace to its limit over several processes, and use the limit", async () => {
    const gate = slowLedger();
    const { api, space, workflowId } = await workspace(limited.url);
    const started = await Promise.all([
      startMany(30, { api, space, workflowId }),
      startMany(30, { api: api.at(second.url), space, workflowId }),
    ]);
    gate.open();
    await untilIdle(api, space);
    expect(started.flat().map(({ id }) => ledger.count(`${id}:call`))).toEqual(started.flat().map(() => 1));
    expect(ledger.mostInFlight).toBe(3);
  });

  it("keep a workspace to its limit in one process, and use the limit", async () => {
    await second.stop();
    const gate = slowLedger();
    const { api, space, workflowId } = await workspace(limited.url);
    const started = await startMany(40, { api, space, workflowId });
    gate.open();
    await untilIdle(api, space);
    expect(started.map(({ id }) => ledger.count(`${id}:call`))).toEqual(started.map(() => 1));
    expect(ledger.mostInFlight).toBe(3);
  });
});
