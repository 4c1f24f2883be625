import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { ledgerCall, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { violations } from "../support/history.ts";
import { Ledger } from "../support/ledger.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const AT_ONCE = 50;
const ROUNDS = 6;

describe("a question that many answer at the same moment", () => {
  let ledger: Ledger;
  let server: Server;
  let second: Server;
  let api: Api;
  let viaSecond: Api;
  let space: string;

  beforeAll(async () => {
    ledger = await Ledger.open();
    server = await startServer();
    // Of several processes, so that the answers really meet in the store.
    second = await startServer({ dataDir: server.dataDir });
    ({ api, space } = await newWorkspace(server.url));
    viaSecond = api.at(second.url);
  });
  afterAll(async () => {
    await second.stop("SIGKILL");
    await removeServer(server);
    await ledger.close();
  });

  async function asked(): Promise<{ id: string; path: string }> {
    const steps = [
      node("ask", "human", { prompt: "Which?" }),
      ledgerCall(ledger, "yes"),
      ledgerCall(ledger, "no"),
      node("given", "transform", { value: "{{ steps.ask }}" }),
    ];
    const edges = ["ask:approved > yes", "ask:rejected > no", "yes > given", "no > given"];
    const started = await start(api, space, await newWorkflow(api, space, definition(steps, ...edges)));
    await untilEvent(api, started.path, "execution.suspended");
    return started;
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))("takes one of fifty answers, round %i", async () => {
    const { id, path } = await asked();
    const answer = (i: number) => {
      const by = i % 2 === 0 ? api : viaSecond;
      if (i % 3 === 0) return by.patch(`${path}/approve`);
      return by.patch(`${path}/respond`, { approved: i % 3 === 1, data: { answer: i } });
    };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => answer(i)));
    const taken = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []));
    expect(taken).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["409 execution_not_suspended"]),
    );

    const [winner = -1] = taken;
    const approved = winner % 3 !== 2;
    const data = winner % 3 === 0 ? null : { answer: winner };
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { approved, data } });
    expect(await violations(api, path, ledger)).toEqual([]);
    const events = (await readLog(api, path)).map(entry => entry.event);
    expect(events.filter(event => event === "execution.resumed")).toHaveLength(1);
    expect([ledger.count(`${id}:yes`), ledger.count(`${id}:no`)]).toEqual(approved ? [1, 0] : [0, 1]);
  });

  it("is answered or cancelled, never both", async () => {
    for (let round = 0; round < 15; round++) {
      const { id, path } = await asked();
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
      expect(await violations(api, path, ledger)).toEqual([]);
    }
  });
});
