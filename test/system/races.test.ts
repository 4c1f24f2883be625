import { setImmediate as turn } from "node:timers/promises";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { ledgerCall, read, start, type Started } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { seededRandom } from "../support/random.ts";
import { type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const AT_ONCE = 50;

// Of two processes on one store, so that what meets really meets there.
describe("at the same moment, through two processes", () => {
  let ledger: Ledger;
  let second: Server | undefined;
  let api: Api;
  let viaSecond: Api;
  let space: string;
  let asks: string;
  let calls: string;

  beforeAll(async () => {
    ledger = await Ledger.open();
    const first = await sharedServer();
    second = await startServer({ dataDir: first.dataDir });
    ({ api, space } = await newWorkspace(first.url));
    viaSecond = api.at(second.url);
    const steps = [
      node("ask", "human", { prompt: "Which?" }),
      ledgerCall(ledger, "yes"),
      ledgerCall(ledger, "no"),
      node("given", "transform", { value: "{{ steps.ask }}" }),
    ];
    const edges = ["ask:approved > yes", "ask:rejected > no", "yes > given", "no > given"];
    asks = await newWorkflow(api, space, definition(steps, ...edges));
    const two = [ledgerCall(ledger, "first"), ledgerCall(ledger, "second")];
    calls = await newWorkflow(api, space, definition(two, "first > second"));
  });
  afterAll(async () => {
    await second?.stop();
    await ledger.close();
  });
  beforeEach(() => {
    ledger.behaviour = () => undefined;
  });

  async function asked(): Promise<Started> {
    const started = await start(api, space, asks);
    await untilEvent(api, started.path, "execution.suspended");
    return started;
  }

  /** What is wrong with an execution that has ended, as either process shows it. */
  async function wrongWith({ id, path }: Started): Promise<string[]> {
    const shown = await Promise.all([api, viaSecond].map(async by => [await read(by, path), await readLog(by, path)]));
    const same = JSON.stringify(shown[0]) === JSON.stringify(shown[1]);
    return [...(await historyFaults(api, path, ledger)), ...(same ? [] : [`${id} is shown in two ways`])];
  }

  it.each([1, 2, 3, 4, 5, 6])("accept one of fifty answers and reject the others, round %i", async () => {
    const started = await asked();
    const { id, path } = started;
    const answer = (i: number) => {
      const by = i % 2 === 0 ? api : viaSecond;
      if (i % 3 === 0) return by.patch(`${path}/approve`);
      return by.patch(`${path}/respond`, { approved: i % 3 === 1, data: { answer: i } });
    };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => answer(i)));
    const taken = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []));
    expect(taken).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`);
    expect(refused).toEqual(new Array(AT_ONCE - 1).fill("409 execution_not_suspended"));

    const [winner = -1] = taken;
    const approved = winner % 3 !== 2;
    const data = winner % 3 === 0 ? null : { answer: winner };
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { approved, data } });
    expect(await wrongWith(started)).toEqual([]);
    const events = (await readLog(api, path)).map(entry => entry.event);
    expect(events.filter(event => event === "execution.resumed")).toHaveLength(1);
    expect([ledger.count(`${id}:yes`), ledger.count(`${id}:no`)]).toEqual(approved ? [1, 0] : [0, 1]);
  });

  it("lead an answer and a cancel to one end", async () => {
    for (let round = 0; round < 15; round++) {
      const started = await asked();
      const { id, path } = started;
      const [approval, cancelled] = await Promise.all([viaSecond.patch(`${path}/approve`), api.delete(path)]);
      // An answer that came first does not keep the cancel from coming second.
      expect([
        [200, 204],
        [200, 409],
        [409, 204],
      ]).toContainEqual([approval.status, cancelled.status]);
      const { status } = await untilEnd(api, path);
      expect(status).toBe(cancelled.status === 204 ? "cancelled" : "completed");
      if (approval.status === 409) expect(ledger.count(`${id}:yes`)).toBe(0);
      expect(await wrongWith(started)).toEqual([]);
    }
  });

  it("cancel the run once for fifty cancels", async () => {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    const started = await start(api, space, calls);
    const { id, path } = started;
    await ledger.called(`${id}:first`);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => (i % 2 === 0 ? api : viaSecond).delete(path)),
    );
    const told = answers.map(({ status, body }) => (status === 204 ? "204" : `${status} ${body.code}`)).sort();
    expect(told).toEqual(["204", ...new Array<string>(AT_ONCE - 1).fill("409 execution_finished")]);
    await ledger.until(() => ledger.calls.some(call => call.key === `${id}:first` && call.cut), "the call is cut");
    gate.open();

    expect(await api.delete(path)).toMatchObject({ status: 409, body: { code: "execution_finished" } });
    expect(await read(api, path)).toMatchObject({ status: "cancelled", output: null });
    expect(await wrongWith(started)).toEqual([]);
    expect((await readLog(api, path)).at(-1)).toMatchObject({ event: "execution.cancelled" });
    expect([ledger.count(`${id}:first`), ledger.count(`${id}:second`)]).toEqual([1, 0]);
  });

  it("lead a cancel and a completion to one end: 204 if it was cancelled, otherwise 409", async () => {
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const wrong: string[] = [`seed ${seed}`];
    const ends = { cancelled: 0, completed: 0 };

    async function race(): Promise<void> {
      const started = await start(random() < 0.5 ? api : viaSecond, space, calls);
      const { id, path } = started;
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
      wrong.push(...(await wrongWith(started)));
    }

    for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 8 }, race));
    expect(wrong).toEqual([`seed ${seed}`]);
    // Both sides of the race were seen.
    expect(ends.cancelled).toBeGreaterThan(0);
    expect(ends.completed).toBeGreaterThan(0);
  });
});
