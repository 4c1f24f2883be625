import { type Api, type Json, newWorkflow, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { type Ledger } from "../support/ledger.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());
beforeEach(() => (ledger.behaviour = () => undefined));

const run = (what: unknown, input?: unknown) => runToEnd(api, space, what, input);
const inside = (parentId: string, made: object) => ({ ...made, parentId });
const loop = (data: object, extra: object = {}) => node("loop", "loop", data, extra);

test("reads pages until there is no next one, and carries what it found", async () => {
  ledger.behaviour = ({ body }) => {
    const page = (body as { page: number }).page;
    return { body: { items: [page, page * 10], next: page < 3 ? page + 1 : null } };
  };
  const what = definition([
    loop({
      carry: { page: 1, found: [] },
      next: { page: "{{ steps.page.body.next }}", found: "{{ $append(loop.carry.found, steps.page.body.items) }}" },
      until: "{{ loop.carry.page = null }}",
    }),
    inside("loop", node("page", "http", { method: "POST", url: `${ledger.url}/pages`, body: "{{ loop.carry }}" })),
  ]);
  const ended = await run(what);
  expect(ended).toMatchObject({
    status: "completed",
    output: { carry: { page: null, found: [1, 10, 2, 20, 3, 30] }, iterations: 3 },
  });
  const keys = ledger.calls.filter(call => call.path === "/pages").map(call => call.key);
  expect(keys).toEqual([0, 1, 2].map(index => `${ended.id}:page:${index}`));
});

test("evaluates `while` before each round, and runs none if it is false at first", async () => {
  const steps = [inside("loop", gives("a", "{{ loop.index }}: {{ loop.carry }}"))];
  const what = (end: string) =>
    definition([loop({ carry: 2, while: end, next: "{{ loop.carry * loop.carry }}" }), ...steps]);
  expect((await run(what("{{ loop.carry < 200 }}"))).output).toEqual({ carry: 256, iterations: 3 });
  expect((await run(what("{{ input.go }}"), {})).output).toEqual({ carry: 2, iterations: 0 });
});

test("counts rounds without steps inside, and carries null by default", async () => {
  expect((await run(definition([loop({ while: "{{ loop.index < 4 }}" })]))).output).toEqual({
    carry: null,
    iterations: 4,
  });
});

test("fails after its maximum number of rounds, and follows its policy", async () => {
  const endless = loop({ until: false, maxIterations: 3 });
  const once = inside("loop", gives("a", "{{ loop.index }}"));
  expect(await run(definition([endless, once]))).toMatchObject({
    status: "failed",
    error: { code: "loop_limit", nodeId: "loop" },
  });
  const routed = { ...endless, policy: { onError: "route" } };
  const after = gives("after", "{{ steps.loop.error.code }}");
  expect((await run(definition([routed, once, after], "loop:error > after"))).output).toBe("loop_limit");
});

test("nests with maps and loops, and each step sees its own item and loops", async () => {
  const what = definition([
    node("each", "map", { items: "{{ input }}", concurrency: 2 }),
    inside(
      "each",
      node("outer", "loop", { carry: "{{ item }}", while: "{{ loop.index < 2 }}", next: "{{ steps.inner.carry }}" }),
    ),
    inside(
      "outer",
      node("inner", "loop", { carry: "{{ loop.carry }}", until: "{{ loop.index = 1 }}", next: "{{ steps.add }}" }),
    ),
    inside("inner", gives("add", "{{ loop.carry & item & steps.outer.index & loop.index }}")),
  ]);
  expect((await run(what, ["x", "y"])).output).toEqual([
    { carry: "xx00x01x10x11", iterations: 2 },
    { carry: "yy00y01y10y11", iterations: 2 },
  ]);
});

test("retries a failed step in its round, and repeats no earlier round", async () => {
  let broken = true;
  ledger.behaviour = ({ body }) => (broken && body === 2 ? { status: 400 } : { body: { ok: true } });
  const call = node("call", "http", { method: "POST", url: `${ledger.url}/rounds`, body: "{{ loop.index }}" });
  const what = definition([loop({ while: "{{ loop.index < 4 }}" }), inside("loop", call)]);
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  expect(await untilEnd(api, path)).toMatchObject({ status: "failed", error: { nodeId: "call" } });
  broken = false;
  const { body: retry } = await api.post(`${path}/retry`);
  expect(await untilEnd(api, `${space}/executions/${retry.id}`)).toMatchObject({
    status: "completed",
    output: { iterations: 4 },
  });
  expect(ledger.calls.filter(one => one.path === "/rounds").map(one => one.body)).toEqual([0, 1, 2, 2, 3]);
  const rows = (
    await api.get(`${space}/executions/${retry.id}/steps?under=${encodeURIComponent('[{"nodeId":"loop"}]')}`)
  ).body as Json[];
  expect(rows.map(({ type, status }) => `${type} ${status}`)).toEqual(
    Array.from({ length: 4 }, () => "round completed"),
  );
});

test("pauses between rounds without a worker, asks people in a round, and shows rounds as rows", async () => {
  const what = definition([
    loop({ carry: "a", delayMs: 1_100, until: "{{ steps.ask.data.enough }}", next: "{{ loop.carry & 'a' }}" }),
    inside("loop", node("ask", "human", { prompt: "Enough after {{ loop.carry }}?" })),
  ]);
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  for (const [nth, enough] of [false, true].entries()) {
    await untilEvent(api, path, "execution.suspended", nth + 1);
    const { body } = await api.get(path);
    expect(body.suspension.prompt).toBe(`Enough after ${"a".repeat(nth + 1)}?`);
    await api.patch(`${path}/respond`, { approved: true, data: { enough } });
  }
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { carry: "aaa", iterations: 2 } });
  const [row] = (await api.get(`${path}/steps`)).body as Json[];
  expect(row).toMatchObject({ type: "loop", status: "completed", attempt: 1, items: { total: 2, completed: 2 } });
  const round = encodeURIComponent('[{"nodeId":"loop","index":1}]');
  expect((await api.get(`${path}/output?nodeId=loop&path=${round}`)).body).toMatchObject({
    input: "aa",
    output: { approved: true },
  });
});

test("passes a carry that is too large for the journal completely to its rounds", async () => {
  const what = definition(
    [
      loop({ carry: "{{ $pad('', 300000, 'x') }}", while: "{{ loop.index < 2 }}", next: "{{ loop.carry & 'yy' }}" }),
      inside("loop", gives("length", "{{ $length(loop.carry) }}")),
      gives("end", "{{ $length(steps.loop.carry) }}"),
    ],
    "loop > end",
  );
  expect((await run(what)).output).toBe(300_004);
});
