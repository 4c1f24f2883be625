import { setImmediate as turn } from "node:timers/promises";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition } from "../support/definition.ts";
import { ledgerCall, read, start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { violations } from "../support/history.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { seededRandom } from "../support/random.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const ROUNDS = 120;

describe("cancelling", () => {
  let ledger: Ledger;
  let server: Server;
  let second: Server;
  let api: Api;
  let viaSecond: Api;
  let space: string;
  let workflowId: string;

  beforeAll(async () => {
    ledger = await Ledger.open();
    server = await startServer();
    second = await startServer({ dataDir: server.dataDir });
    ({ api, space } = await newWorkspace(server.url));
    viaSecond = api.at(second.url);
    const calls = [ledgerCall(ledger, "first"), ledgerCall(ledger, "second")];
    workflowId = await newWorkflow(api, space, definition(calls, "first > second"));
  });
  afterAll(async () => {
    await second.stop("SIGKILL");
    await removeServer(server);
    await ledger.close();
  });
  beforeEach(() => {
    ledger.behaviour = () => undefined;
  });

  it("ends the call that is under way, and is final", async () => {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    const { id, path } = await start(api, space, workflowId);
    await ledger.called(`${id}:first`);
    expect((await api.delete(path)).status).toBe(204);
    await ledger.until(() => ledger.calls.some(call => call.key === `${id}:first` && call.cut), "the call is cut");
    gate.open();

    expect(await api.delete(path)).toMatchObject({ status: 409, body: { code: "execution_finished" } });
    expect(await read(api, path)).toMatchObject({ status: "cancelled", output: null });
    expect(await violations(api, path, ledger)).toEqual([]);
    expect((await readLog(api, path)).at(-1)).toMatchObject({ event: "execution.cancelled" });
    expect([ledger.count(`${id}:first`), ledger.count(`${id}:second`)]).toEqual([1, 0]);
  });

  it("races with completion to one end: 204 where it was cancelled, 409 where it was not", async () => {
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const wrong: string[] = [`seed ${seed}`];
    const ends = { cancelled: 0, completed: 0 };

    async function race(): Promise<void> {
      const { id, path } = await start(api, space, workflowId);
      // From before the first call until after the end: turns of the loop, not milliseconds, so that it fits any machine.
      if (random() < 0.7) await ledger.called(`${id}:${random() < 0.5 ? "first" : "second"}`);
      for (let turns = Math.floor(random() * 30); turns > 0; turns--) await turn();
      const by = random() < 0.5 ? api : viaSecond;
      const answer = (await by.delete(path)).status;
      const { status } = await untilEnd(api, path);
      if (answer !== 204 && answer !== 409) wrong.push(`${id}: DELETE answered ${answer}`);
      if ((answer === 204) !== (status === "cancelled")) wrong.push(`${id}: ${answer}, and it is ${status}`);
      if (status === "cancelled" || status === "completed") ends[status as "cancelled" | "completed"]++;
      else wrong.push(`${id}: it is ${status}`);
      wrong.push(...(await violations(api, path, ledger)));
    }

    for (let round = 0; round < ROUNDS; round += 8) await Promise.all(Array.from({ length: 8 }, race));
    expect(wrong).toEqual([`seed ${seed}`]);
    // Both sides of the race were seen.
    expect(ends.cancelled).toBeGreaterThan(0);
    expect(ends.completed).toBeGreaterThan(0);
  });
});
