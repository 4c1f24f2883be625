import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { EventStream } from "../support/events.ts";
import { definition, node } from "../support/definition.ts";
import { ledgerCall, read, start } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const STOP_MS = 5_000;

/** What the process ends with; "late" where it takes longer than it may. */
async function exitCode(exited: Promise<number | null>): Promise<number | null | "late"> {
  const timer = Promise.withResolvers<"late">();
  const timeout = setTimeout(() => timer.resolve("late"), STOP_MS);
  try {
    return await Promise.race([exited, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

describe("a process that is asked to stop", () => {
  let ledger: Ledger;
  let gate: Gate;
  let server: Server;
  let api: Api;
  let space: string;

  beforeEach(async () => {
    gate = new Gate();
    ledger = await Ledger.open(async () => {
      await gate.opened;
      return undefined;
    });
  });
  afterEach(async () => {
    gate.open();
    await removeServer(server);
    await ledger.close();
  });

  const begin = async (throughNpm: boolean) => {
    server = await startServer({ throughNpm, env: { npm_config_update_notifier: "false" } });
    ({ api, space } = await newWorkspace(server.url));
  };
  const restart = async () => {
    server = await startServer({ dataDir: server.dataDir, port: Number(new URL(server.url).port) });
  };

  it("ends in time with code 0 whatever is running, and the next one completes all runs", async () => {
    await begin(false);
    const two = [ledgerCall(ledger, "held"), ledgerCall(ledger, "after")];
    const calls = await newWorkflow(api, space, definition(two, "held > after"));
    const asks = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "Go on?" })]));
    const delays = await newWorkflow(api, space, definition([node("pause", "delay", { ms: 60_000 })]));

    const held = await Promise.all(Array.from({ length: 5 }, () => start(api, space, calls)));
    const asked = await start(api, space, asks);
    const delayed = await start(api, space, delays);
    const waiting = api.post(`${space}/executions`, { workflowId: calls }, { prefer: "wait=60" });
    const streams = await Promise.all([...held, asked].map(({ path }) => EventStream.open(api, path)));
    const ended = streams.map(stream => stream.toEnd());
    await ledger.until(() => ledger.calls.length === held.length + 1, "every call is held");
    await untilEvent(api, asked.path, "execution.suspended");
    await untilEvent(api, delayed.path, "step.log");

    expect(await exitCode(server.stop())).toBe(0);
    // Streams end with their last event, and callers that wait get the state so far.
    await Promise.all(ended);
    expect(streams.map(stream => stream.broken)).toEqual(streams.map(() => false));
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 201, body: { finishedAt: null } });
    await ledger.until(() => ledger.calls.every(call => call.cut), "the calls under way were ended");

    gate.open();
    await restart();
    const answered = { id: answer.body.id as string, path: `${space}/executions/${answer.body.id}` };
    for (const { id, path } of [...held, answered]) {
      expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
      expect(await historyFaults(api, path, ledger)).toEqual([]);
      expect([ledger.count(`${id}:held`), ledger.count(`${id}:after`)]).toEqual([2, 1]);
    }
    expect((await api.patch(`${asked.path}/approve`)).status).toBe(200);
    expect(await untilEnd(api, asked.path)).toMatchObject({ status: "completed" });
    expect(await read(api, delayed.path)).toMatchObject({ status: "running", finishedAt: null });
  });

  it("gets the signal through npm, and loses nothing either", async () => {
    await begin(true);
    const workflowId = await newWorkflow(api, space, definition([ledgerCall(ledger, "held")]));
    const { id, path } = await start(api, space, workflowId);
    await ledger.called(`${id}:held`);
    expect(await exitCode(server.stop())).toBe(0);

    gate.open();
    await restart();
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
    expect(ledger.count(`${id}:held`)).toBe(2);
  });
});
