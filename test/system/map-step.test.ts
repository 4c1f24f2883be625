import { type Api, type Json, newWorkflow, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, start } from "../support/executions.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());
beforeEach(() => (ledger.behaviour = () => undefined));

const run = (what: unknown, input?: unknown) => runToEnd(api, space, what, input);
const inside = (parentId: string, made: object) => ({ ...made, parentId });
const each = (extra: object = {}) => node("each", "map", { items: "{{ input }}", ...extra });
const calls = inside("each", node("call", "http", { url: "{{ item.url }}", method: "POST", body: "{{ item.n }}" }));

test("runs its children for each item, and outputs an array in the order of the items", async () => {
  const body = inside("each", gives("double", "{{ item * 2 }}"));
  const ended = await run(definition([each(), body, gives("sum", "{{ $sum(steps.each) }}")], "each > sum"), [1, 2, 3]);
  expect(ended).toMatchObject({ status: "completed", output: 12 });
});

test("gives expressions the item, the index and the outputs of the same item", async () => {
  const what = definition(
    [
      gives("outside", "o"),
      each({ concurrency: 4 }),
      inside("each", gives("a", "{{ index }}:{{ item }}")),
      inside("each", gives("b", "{{ steps.outside }} {{ steps.a }} {{ steps.each.index }} {{ input[0] }}")),
    ],
    "outside > each",
    "a > b",
  );
  expect((await run(what, ["x", "y", "z"])).output).toEqual(["o 0:x 0 x", "o 1:y 1 x", "o 2:z 2 x"]);
});

test("passes its item to the first step inside, and joins several ends of an item in an object", async () => {
  const what = definition([each(), inside("each", node("t", "trigger")), inside("each", gives("u", "{{ item.a }}"))]);
  expect((await run(what, [{ a: 1 }])).output).toEqual([{ t: { a: 1 }, u: 1 }]);
});

test("outputs an empty array for no items, and the items themselves without steps inside", async () => {
  expect((await run(definition([each(), inside("each", gives("a", 1))]), [])).output).toEqual([]);
  expect((await run(definition([each()]), [1, "two"])).output).toEqual([1, "two"]);
});

test("runs for each item of each item when nested, with branches", async () => {
  const what = definition(
    [
      each({ concurrency: 2 }),
      inside("each", node("inner", "map", { items: "{{ item }}", concurrency: 2 })),
      inside("inner", node("odd", "condition", { if: "{{ item % 2 = 1 }}" })),
      inside("inner", gives("yes", "{{ steps.each.index }}.{{ index }} odd")),
      inside("inner", gives("no", "{{ item }} even")),
    ],
    "odd:true > yes",
    "odd:false > no",
  );
  expect((await run(what, [[1, 2], [], [3]])).output).toEqual([["0.0 odd", "2 even"], [], ["2.0 odd"]]);
});

test("runs as many items at a time as its setting, and gives each call its own key", async () => {
  const items = Array.from({ length: 9 }, (_, n) => ({ url: `${ledger.url}/many`, n }));
  const gate = new Gate();
  ledger.behaviour = async () => {
    await gate.opened;
    return undefined;
  };
  const workflowId = await newWorkflow(api, space, definition([each({ concurrency: 3 }), calls]));
  const { id, path } = await start(api, space, workflowId, items);
  await ledger.until(() => ledger.calls.length >= 3, "the calls come in");
  gate.open();
  const ended = await untilEnd(api, path);
  expect(ended.status).toBe("completed");
  expect(ledger.mostInFlight).toBe(3);
  const keys = ledger.calls.filter(call => call.path === "/many").map(call => call.key);
  expect(keys.sort()).toEqual(items.map((_, index) => `${id}:call:${index}`));
});

describe("a step that fails inside", () => {
  const fails = (policy: object, ofMap: object = {}) =>
    definition(
      [
        { ...each({ concurrency: 2 }), policy: ofMap },
        inside("each", { ...node("f", "fail", { message: "no {{ item }}" }), policy }),
        gives("after", "{{ steps.each }}"),
      ],
      ...("onError" in ofMap && ofMap.onError === "route" ? ["each:error > after"] : ["each > after"]),
    );

  test("fails the run, and names the item", async () => {
    const ended = await run(fails({}), ["a", "b"]);
    expect(ended).toMatchObject({ status: "failed", error: { code: "failed", nodeId: "f", message: "no a" } });
  });

  test("leaves the map by its error edge if there is one", async () => {
    const error = { code: "failed", message: "no a" };
    expect(await run(fails({}, { onError: "continue" }), ["a"])).toMatchObject({
      status: "completed",
      output: { error },
    });
    expect(await run(fails({}, { onError: "route" }), ["a"])).toMatchObject({ status: "completed", output: { error } });
  });

  test("is retried or skipped for its own item only", async () => {
    ledger.behaviour = ({ body, number }) => (body === 1 && number % 2 ? { status: 500 } : { body: { ok: true } });
    const items = [0, 1].map(n => ({ url: `${ledger.url}/again`, n }));
    const again = { ...calls, policy: { retry: { maxAttempts: 5, initialMs: 1 } } };
    expect(await run(definition([each(), again]), items)).toMatchObject({ status: "completed" });
    const going = { ...calls, policy: { onError: "continue" } };
    ledger.behaviour = ({ body }) => (body === 0 ? { status: 500 } : { body: "fine" });
    const { output } = await run(definition([each(), going]), items);
    expect(output).toMatchObject([{ error: { code: "http_status" } }, { status: 200, body: "fine" }]);
  });
});

test("asks in several items at the same time, and each question is answered on its own", async () => {
  const ask = inside("each", node("ask", "human", { prompt: "{{ item }}?" }));
  const workflowId = await newWorkflow(api, space, definition([each({ concurrency: 3 }), ask]));
  const { path } = await start(api, space, workflowId, ["a", "b", "c", "d"]);
  await untilEvent(api, path, "execution.suspended");
  const { body } = await api.get(path);
  const at = (index: number) => [{ nodeId: "each", index }];
  expect((body.suspensions as Json[]).map(({ prompt }) => prompt as string)).toEqual(["a?", "b?", "c?"]);
  expect(body.suspensions[1]).toMatchObject({ nodeId: "ask", path: at(1) });
  const answers = await Promise.all(
    [0, 1, 2].map(index => api.patch(`${path}/respond`, { nodeId: "ask", path: at(index), data: index })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await untilEvent(api, path, "step.started", 5);
  expect((await api.patch(`${path}/respond`, { nodeId: "ask", path: at(1) })).status).toBe(409);
  const refuseLast = () => api.patch(`${path}/respond`, { nodeId: "ask", path: at(3), approved: false });
  await eventually(async () => (await refuseLast()).status === 200, "the last item asks");
  const ended = await untilEnd(api, path);
  expect(ended.output).toMatchObject([{ data: 0 }, { data: 1 }, { data: 2 }, { approved: false }]);
  const log = await readLog(api, path);
  expect(
    log
      .filter(e => e.event === "step.completed" && e.nodeId === "ask")
      .map(e => e.path?.[0]?.index)
      .sort(),
  ).toEqual([0, 1, 2, 3]);
});

test.each([
  ["items that are no list", "{{ 7 }}", "invalid_data"],
  ["more items than it takes", "{{ [1..10001] }}", "invalid_data"],
])("rejects %s", async (_what, items, code) => {
  const what = definition([node("each", "map", { items }), inside("each", gives("a", 1))]);
  expect(await run(what)).toMatchObject({ status: "failed", error: { code, nodeId: "each" } });
});

test("rejects at once a map that would need more log entries than a run may have", async () => {
  const steps = Array.from({ length: 6 }, (_, i) => inside("each", gives(`s${i}`, i)));
  const what = definition([node("each", "map", { items: "{{ [1..10000] }}" }), ...steps]);
  expect(await run(what)).toMatchObject({ status: "failed", error: { code: "journal_full", nodeId: "each" } });
});

test("reports faults of maps in a validation", async () => {
  const workflowId = await newWorkflow(api, space, {
    nodes: [
      each(),
      { ...node("timed", "map", { items: [] }), policy: { timeoutMs: 5 } },
      inside("each", gives("a", 1)),
      inside("gone", gives("b", 1)),
      inside("c", gives("d", 1)),
      gives("c", 1),
    ],
    edges: [{ source: "a", target: "c" }],
  });
  const { body } = await api.post(`${space}/workflows/${workflowId}/validate`);
  const faults = (body.faults as Json[]).map(({ nodeId, path }) => `${nodeId} ${path}`);
  expect(faults.sort()).toEqual(["a /edges/0", "b /nodes/3/parentId", "d /nodes/4/parentId", "timed /nodes/1/policy"]);
});
