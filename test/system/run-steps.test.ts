import { type Api, type Json, newWorkflow, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { Gate, type Ledger } from "../support/ledger.ts";
import { expectProblem, faultsOf } from "../support/problem.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
beforeAll(async () => void ({ api, space, ledger } = await openStage()));
afterAll(() => ledger.close());
beforeEach(() => (ledger.behaviour = () => undefined));

const inside = (parentId: string, made: object) => ({ ...made, parentId });
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const each = node("each", "map", { items: "{{ input }}", concurrency: 20 });
const onward = { policy: { onError: "continue" } };

async function rows(run: string, query = ""): Promise<Json[]> {
  const { status, body } = await api.get(`${run}/steps${query}`);
  expect(status).toBe(200);
  return body as Json[];
}

describe("a finished run", () => {
  let run: string;
  const size = 450;
  const failing = [7, 300, 449];
  beforeAll(async () => {
    const fails = `{{ $contains("${failing.map(n => `,${n},`).join()}", "," & $string(item) & ",") ? $error("No " & item) : item }}`;
    const what = definition(
      [
        gives("first", "{{ input[0] }}"),
        each,
        inside("each", node("check", "transform", { value: fails }, onward)),
        inside("each", gives("after", { text: "ä" })),
        gives("last", "x".repeat(2_000)),
      ],
      "first > each",
      "check > after",
      "each > last",
    );
    const input = Array.from({ length: size }, (_, n) => n);
    const ended = await runToEnd(api, space, { ...what, nodes: what.nodes }, input);
    expect(ended.status).toBe("completed");
    run = `${space}/executions/${ended.id}`;
  });

  it("has a row for each step, without payloads and with the counts of a map", async () => {
    const [first, map, last] = await rows(run);
    expect(first).toMatchObject({
      nodeId: "first",
      name: "first",
      type: "transform",
      status: "completed",
      attempt: 1,
      attempts: 1,
      preview: "0",
      outputBytes: 1,
      error: null,
    });
    expect(map).toMatchObject({
      nodeId: "each",
      status: "completed",
      items: { total: size, completed: size - 3, failed: 3, running: 0 },
    });
    expect([last.outputBytes, last.preview.length]).toEqual([2_002, 512]);
    expect(Date.parse(last.startedAt)).toBeLessThanOrEqual(Date.parse(last.finishedAt));
  });

  it("returns its items in pages, and the failed ones by a filter", async () => {
    const under = `?under=${json([{ nodeId: "each" }])}`;
    const indexes: number[] = [];
    for (let path: string | undefined = `${run}/steps${under}&limit=200`; path;) {
      const { body, headers } = await api.get(path);
      expect(body.length).toBeLessThanOrEqual(200);
      indexes.push(...(body as Json[]).map(row => row.path[0].index as number));
      path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(indexes).toEqual(Array.from({ length: size }, (_, n) => n));
    const failed = await rows(run, `${under}&status=failed,running&limit=200`);
    expect(failed.map(row => [row.type, row.path[0].index, row.status, row.error.nodeId])).toEqual(
      failing.map(index => ["item", index, "failed", "check"]),
    );
  });

  it("has the steps of one item, each with its path", async () => {
    const path = [{ nodeId: "each", index: 7 }];
    const [check, after] = await rows(run, `?under=${json(path)}`);
    expect(check).toMatchObject({
      nodeId: "check",
      path,
      status: "failed",
      error: { message: expect.stringContaining("No 7") },
    });
    expect(after).toMatchObject({
      nodeId: "after",
      path,
      status: "completed",
      preview: '{"text":"ä"}',
      outputBytes: 13,
    });
  });

  it("returns the payloads of a step, an item and a map as immutable resources", async () => {
    const path = json([{ nodeId: "each", index: 8 }]);
    const kept = "private, max-age=31536000, immutable";
    for (const [query, wanted] of [
      ["nodeId=last", { output: "x".repeat(2_000) }],
      [`nodeId=check&path=${path}`, { output: 8, path: [{ nodeId: "each", index: 8 }] }],
      [`nodeId=each&path=${path}`, { input: 8, output: { text: "ä" } }],
    ] as const) {
      const { status, body, headers } = await api.get(`${run}/output?${query}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { ended: true, status: "completed", ...wanted } });
      expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
        kept,
        expect.stringContaining("Authorization"),
      ]);
    }
    const { body } = await api.get(`${run}/output?nodeId=each`);
    expect(body.output).toHaveLength(size);
    const failed = await api.get(`${run}/output?nodeId=check&path=${json([{ nodeId: "each", index: 7 }])}`);
    expect(failed.body).toMatchObject({ status: "failed", error: { nodeId: "check" } });
  });

  it.each(["none", "__proto__", "constructor"])("has no step %s", async nodeId => {
    expectProblem(await api.get(`${run}/output?nodeId=${nodeId}`), 404, "not_found");
    expectProblem(await api.get(`${run}/output?nodeId=check&path=${json([{ nodeId, index: 0 }])}`), 404, "not_found");
    expect(await rows(run, `?under=${json([{ nodeId }])}`)).toEqual([]);
  });

  it.each([
    ["under={", "/under"],
    ["under=7", "/under"],
    [`under=${"[".repeat(5_000)}`, "/under"],
    [`under=${json([{ nodeId: "each" }, { nodeId: "each", index: 0 }])}`, "/under"],
    [`under=${json(Array.from({ length: 11 }, () => ({ nodeId: "each", index: 0 })))}`, "/under"],
    [`under=${json([{ nodeId: "each", index: -1 }])}`, "/under/0/index"],
    ["under=%5B%7B%22__proto__%22:1%7D%5D", "/under"],
    ["status=broken", "/status"],
    ["status=failed,broken", "/status"],
  ])("rejects %s", async (query, path) => {
    const answer = await api.get(`${run}/steps?${query}`);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer).join()).toContain(path);
  });

  it.each(["x", "-1", "1.5"])("has no cursor %s", async cursor =>
    expectProblem(await api.get(`${run}/steps?cursor=${cursor}`), 400, "invalid_cursor"),
  );
});

test("shows the finished, running and pending steps of an active run", async () => {
  const gate = new Gate();
  ledger.behaviour = async ({ path }) => {
    if (path === "/slow") await gate.opened;
    return undefined;
  };
  const slow = node("call", "http", { method: "POST", url: "{{ item.url }}" });
  const what = definition(
    [{ ...each, data: { items: "{{ input }}", concurrency: 2 } }, inside("each", slow), gives("last", 1)],
    "each > last",
  );
  const items = ["fast", "slow", "fast"].map(name => ({ url: `${ledger.url}/${name}` }));
  const { path } = await start(api, space, await newWorkflow(api, space, what), items);
  await untilEvent(api, path, "step.completed", 2);

  const [map, last] = await rows(path);
  expect(map).toMatchObject({ status: "running", items: { total: 3, completed: 2, failed: 0, running: 1 } });
  expect(last).toMatchObject({ status: "pending", startedAt: null, attempt: 0 });
  const under = json([{ nodeId: "each", index: 1 }]);
  expect(await rows(path, `?under=${under}`)).toMatchObject([{ nodeId: "call", status: "running" }]);
  const { body, headers } = await api.get(`${path}/output?nodeId=call&path=${under}`);
  expect(body).toMatchObject({ ended: false, output: null });
  expect(headers.get("cache-control")).toBe("no-store");
  expectProblem(await api.get(`${path}/output?nodeId=last`), 404, "not_found");

  gate.open();
  await untilEnd(api, path);
  expect(await rows(path)).toMatchObject([
    { status: "completed", items: { completed: 3, running: 0 } },
    { status: "completed" },
  ]);
});

test("shows what a step that asks, and a step that starts another run, wait for", async () => {
  const child = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "Well?" })]));
  const what = definition([
    node("sub", "subworkflow", { workflowId: child }),
    node("ask", "human", { prompt: "And here?" }),
  ]);
  const { path } = await start(api, space, await newWorkflow(api, space, what));
  await untilEvent(api, path, "execution.suspended");
  const found = await rows(path, "?status=waiting");
  expect(found).toMatchObject([
    { nodeId: "sub", waitsFor: "child", childExecutionId: expect.any(String) },
    { nodeId: "ask", waitsFor: "answer" },
  ]);
  expect((await api.get(`${space}/executions/${found[0].childExecutionId}/steps`)).body).toMatchObject([
    { nodeId: "ask" },
  ]);
  expect((await api.delete(path)).status).toBe(204);
  expect(await rows(path)).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
});
