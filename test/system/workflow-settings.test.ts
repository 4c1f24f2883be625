import { type Api, type Json, newWorkflow } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, ledgerCall, read, start, untilIdle } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());

/** Calls the ledger at this path, and waits there until the gate is opened. */
function held(path: string, settings: object) {
  const gate = new Gate();
  ledger.behaviour = async call => {
    if (call.path === `/${path}`) await gate.opened;
    return undefined;
  };
  return { gate, what: { ...definition([ledgerCall(ledger, path)]), settings } };
}
const callsOf = (path: string) => ledger.calls.filter(call => call.path === `/${path}`);
const inputsOf = (path: string) => callsOf(path).map(call => call.body.input as unknown);

describe("a limit on concurrent runs", () => {
  test("queues further runs in order, and starts each when one has ended", async () => {
    const { gate, what } = held("queue", { concurrency: { limit: 2 } });
    const workflowId = await newWorkflow(api, space, what);
    const runs: { path: string }[] = [];
    for (let n = 0; n < 6; n++) runs.push(await start(api, space, workflowId, n));
    await ledger.until(() => callsOf("queue").length === 2, "the calls come in");
    await eventually(
      async () =>
        ((await read(api, `${space}/executions?workflowId=${workflowId}&status=pending`)) as Json[]).length === 4,
      "four wait",
    );
    await eventually(async () => {
      const queued = await Promise.all(runs.map(({ path }) => read(api, path)));
      const places = queued.map(({ queue }: Json) => queue as { reason: string; before: number } | undefined);
      const groups = places.filter(place => place?.reason === "workflow_limit").map(place => place?.before);
      return groups.sort().join() === "0,1,2,3" && places.filter(place => place === undefined).length === 2;
    }, "each waiting run knows its place");
    gate.open();
    for (const { path } of runs) expect((await untilEnd(api, path)).status).toBe("completed");
    expect(inputsOf("queue").slice(0, 2).sort()).toEqual([0, 1]);
    expect(inputsOf("queue")).toHaveLength(6);
    expect(ledger.mostInFlight).toBe(2);
  });

  test("counts runs by its key", async () => {
    const { gate, what } = held("key", { concurrency: { limit: 1, key: "{{ input.who }}" } });
    const workflowId = await newWorkflow(api, space, what);
    const runs = [];
    for (const who of ["a", "a", "b"]) runs.push(await start(api, space, workflowId, { who }));
    await ledger.until(() => callsOf("key").length === 2, "the calls come in");
    expect(inputsOf("key")).toEqual(expect.arrayContaining([{ who: "a" }, { who: "b" }]));
    gate.open();
    for (const { path } of runs) expect((await untilEnd(api, path)).status).toBe("completed");
  });

  test("can skip a run beyond the limit", async () => {
    const { gate, what } = held("skip", { concurrency: { limit: 1, onLimit: "skip" } });
    const workflowId = await newWorkflow(api, space, what);
    const first = await start(api, space, workflowId);
    await ledger.until(() => callsOf("skip").length === 1, "the calls come in");
    const second = await start(api, space, workflowId);
    expect(await untilEnd(api, second.path)).toMatchObject({
      status: "cancelled",
      error: { code: "concurrency_limit" },
    });
    gate.open();
    expect((await untilEnd(api, first.path)).status).toBe("completed");
    const third = await start(api, space, workflowId);
    expect((await untilEnd(api, third.path)).status).toBe("completed");
  });

  test("can cancel the oldest run for a new one", async () => {
    const { gate, what } = held("oldest", { concurrency: { limit: 1, onLimit: "cancel_oldest" } });
    const workflowId = await newWorkflow(api, space, what);
    const first = await start(api, space, workflowId);
    await ledger.until(() => callsOf("oldest").length === 1, "the calls come in");
    const second = await start(api, space, workflowId);
    expect((await untilEnd(api, first.path)).status).toBe("cancelled");
    gate.open();
    expect((await untilEnd(api, second.path)).status).toBe("completed");
  });

  test("holds a slot for a run that waits for an answer, and releases it when the run is cancelled", async () => {
    const asks = { ...definition([node("h", "human", { prompt: "?" })]), settings: { concurrency: { limit: 1 } } };
    const workflowId = await newWorkflow(api, space, asks);
    const first = await start(api, space, workflowId);
    await untilEvent(api, first.path, "execution.suspended");
    const second = await start(api, space, workflowId);
    await api.delete(first.path);
    await untilEvent(api, second.path, "execution.suspended");
    await api.patch(`${second.path}/approve`);
    expect((await untilEnd(api, second.path)).status).toBe("completed");
  });

  test("reports a fault of its key", async () => {
    const what = {
      ...definition([gives("a", 1)]),
      settings: { concurrency: { limit: 1, key: "{{ $error('odd') }}" } },
    };
    const { path } = await start(api, space, await newWorkflow(api, space, what));
    expect(await untilEnd(api, path)).toMatchObject({ status: "failed", error: { code: "expression_error" } });
  });
});

describe("a time limit", () => {
  test("fails a run whose steps take too long", async () => {
    const { gate, what } = held("late", { timeoutMs: 100 });
    const { path } = await start(api, space, await newWorkflow(api, space, what));
    expect(await untilEnd(api, path)).toMatchObject({ status: "failed", error: { code: "execution_timeout" } });
    gate.open();
  });

  test("includes the time that a run waits", async () => {
    const waits = [node("h", "human", { prompt: "?" }), node("d", "delay", { ms: 3_600_000 })];
    for (const waiting of waits) {
      const what = { ...definition([waiting]), settings: { timeoutMs: 300 } };
      const { path } = await start(api, space, await newWorkflow(api, space, what));
      expect(await untilEnd(api, path)).toMatchObject({ status: "failed", error: { code: "execution_timeout" } });
    }
  });
});

describe("an error workflow", () => {
  test("starts once for a failed run, with that run as its input, and never for its own failures", async () => {
    const broken = node("f", "fail", { message: "broke" });
    const handler = await newWorkflow(api, space, definition([gives("seen", "{{ input.error.message }}"), broken]));
    const what = { ...definition([broken]), settings: { errorWorkflowId: handler } };
    await api.patch(`${space}/workflows/${handler}`, {
      definition: {
        ...definition([gives("seen", "{{ input.error.message }}"), broken]),
        settings: { errorWorkflowId: handler },
      },
    });
    const { id, path } = await start(api, space, await newWorkflow(api, space, what), { a: 1 });
    expect((await untilEnd(api, path)).status).toBe("failed");
    const handled = async () => (await read(api, `${space}/executions?workflowId=${handler}`)) as Json[];
    await eventually(async () => (await handled()).length > 0, "the error workflow was started");
    await untilIdle(api, space);
    const [run, ...more] = await handled();
    expect(more).toEqual([]);
    const { input, trigger } = await read(api, `${space}/executions/${run.id}`);
    expect(trigger).toEqual({ type: "subworkflow", id });
    expect(input).toMatchObject({ id, status: "failed", input: { a: 1 }, error: { message: "broke", nodeId: "f" } });
    const log = await readLog(api, `${space}/executions/${run.id}`);
    expect(log).toContainEqual(expect.objectContaining({ event: "step.completed", output: "broke" }));
  });

  test("does not keep runs from ending after it was deleted", async () => {
    const errorWorkflowId = "01890000-0000-7000-8000-000000000000";
    const what = { ...definition([node("f", "fail", { message: "x" })]), settings: { errorWorkflowId } };
    const { path } = await start(api, space, await newWorkflow(api, space, what));
    expect((await untilEnd(api, path)).status).toBe("failed");
  });
});

test("reports unreadable settings as faults of the definition", async () => {
  const settings = { concurrency: { limit: 0, key: "{{ ] }}" }, timeoutMs: "soon", other: 1 };
  const workflowId = await newWorkflow(api, space, { nodes: [], settings });
  const { body } = await api.post(`${space}/workflows/${workflowId}/validate`);
  expect((body.faults as Json[]).map(fault => fault.path as string).sort()).toEqual([
    "/settings/concurrency/limit",
    "/settings/other",
    "/settings/timeoutMs",
  ]);
});
