import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start } from "../support/executions.ts";
import { readLog } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { logged, removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";

const WITHOUT_FENCE = pathToFileURL(join(process.cwd(), "test/support/without-fence.ts")).href;

/**
 * Stops a process. In the middle of a write it would hold the store's file, so no other process could take over. Only a
 * write of the other process shows that the file is free: it is ready for a second after any write of its own.
 */
async function freeze(server: Server, other: Api): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    server.process.kill("SIGSTOP");
    const isFree = await Promise.race([
      other.post("/v1/workspaces", { name: "Probe" }).then(
        ({ status }) => status === 201,
        () => false,
      ),
      sleep(1_000, false),
    ]);
    if (isFree) return;
    server.process.kill("SIGCONT");
  }
  throw new Error("The store was never free.");
}

interface LateWaking {
  ledger: Ledger;
  a: Server;
  b: Server;
  viaA: Api;
  viaB: Api;
  space: string;
  workflowId: string;
  id: string;
  path: string;
}

/** A begins, freezes in a step; B takes over and ends it; A gets its answer and wakes up. */
async function wakeUpLate(nodeOptions = ""): Promise<LateWaking> {
  const env = { WORKER_LEASE_MS: "1000", LOG_LEVEL: "debug", NODE_OPTIONS: nodeOptions };
  const dataDir = await temporaryFolder();
  const a = await startServer({ env, dataDir });
  const b = await startServer({ env, dataDir });
  const gate = new Gate();
  const ledger: Ledger = await Ledger.open(async call => {
    if (call.path === "/held" && ledger.count(call.key) === 1) await gate.opened;
    return undefined;
  });
  const { api: viaA, space } = await newWorkspace(a.url);
  const steps = [node("in", "trigger"), ledgerCall(ledger, "held"), ledgerCall(ledger, "after")];
  const workflowId = await newWorkflow(viaA, space, definition(steps, "in > held", "held > after"));
  const { id, path } = await start(viaA, space, workflowId);
  await ledger.called(`${id}:held`);
  const viaB = viaA.at(b.url);
  await freeze(a, viaB);

  await ledger.called(`${id}:held`, 2);
  await eventually(async () => (await read(viaB, path)).status === "completed", "B completes it");
  gate.open();
  a.process.kill("SIGCONT");
  return { ledger, a, b, viaA, viaB, space, workflowId, id, path };
}

describe("a worker that was presumed dead and resumes", () => {
  let fenced: LateWaking | undefined;
  let open: LateWaking | undefined;

  // Both spend their time waiting, so they do it together.
  beforeAll(async () => {
    [fenced, open] = await Promise.all([wakeUpLate(), wakeUpLate(`--import=${WITHOUT_FENCE}`)]);
  });
  afterAll(async () => {
    for (const made of [fenced, open]) {
      await made?.b.stop("SIGKILL");
      await removeServer(made?.a);
      await made?.ledger.close();
    }
  });

  it("has its late writes rejected, and continues with new executions", async () => {
    const { ledger, a, b, viaA, viaB, space, workflowId, id, path } = fenced!;
    await logged(a, `Execution ${id} could not be appended to`);

    expect(await historyFaults(viaA, path, ledger)).toEqual([]);
    const [execution, log] = [await read(viaA, path), await readLog(viaA, path)];
    expect(await readLog(viaB, path)).toEqual(log);
    expect(log.filter(e => e.nodeId === "held").map(e => `${e.event} ${e.attempt}`)).toEqual([
      "step.started 1",
      "step.started 2",
      "step.completed 2",
    ]);
    expect([ledger.count(`${id}:held`), ledger.count(`${id}:after`)]).toEqual([2, 1]);

    expect(await b.stop()).toBe(0);
    const next = await viaA.post(`${space}/executions`, { workflowId }, { prefer: "wait=20" });
    expect(next.body).toMatchObject({ status: "completed" });
    expect(await read(viaA, path)).toEqual(execution);
  });

  it("would write a second history without the fence of the journal", async () => {
    const { ledger, viaB, id, path } = open!;
    // What A does late goes through, so it goes on to the next step.
    await ledger.called(`${id}:after`, 2);
    const found = async () => (await historyFaults(viaB, path, ledger)).join();
    await eventually(async () => /seqs are .*held completed more than once/.test(await found()), "a second history");
  });
});
