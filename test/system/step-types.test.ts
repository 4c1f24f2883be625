import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { readLog, untilEnd, untilEvent } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
});

const run = (what: unknown, input?: unknown) => runToEnd(api, space, what, input);
const value = async (expression: unknown, input: unknown) => {
  const { status, output, error } = await run(definition([gives("t", expression)]), input);
  return status === "completed" ? output : error;
};

/** Starts a run that will ask, and gives its path once it does. */
async function startAndAsk(what: unknown, input: unknown = null): Promise<string> {
  const workflowId = await newWorkflow(api, space, what);
  const { body } = await api.post(`${space}/executions`, { workflowId, input });
  const path = `${space}/executions/${body.id}`;
  await untilEvent(api, path, "execution.suspended");
  return path;
}

describe("a definition without steps", () => {
  it.each([null, {}, { nodes: [] }, { nodes: [], edges: [] }])("completes with its input: %j", async what => {
    const input = { kept: [1, null, "ü"] };
    expect(await run(what, input)).toMatchObject({ status: "completed", output: input, error: null });
  });
});

describe("expressions", () => {
  it("keep the type of a value that is a whole expression", async () => {
    const input = { n: 1.5, yes: true, none: null, list: [1, [2]], object: { a: "b" }, text: "1" };
    const [n, yes, none, list, object, text] = await Promise.all(
      ["n", "yes", "none", "list", "object", "text"].map(name => value(`{{ input.${name} }}`, input)),
    );
    expect([n, yes, none, list, object, text]).toEqual([1.5, true, null, [1, [2]], { a: "b" }, "1"]);
  });

  it("become text inside a longer string, at any depth of the data", async () => {
    const template = { a: ["{{ input.n }} of {{ input.list }}", { b: "<{{ input.missing }}>" }], c: 7 };
    expect(await value(template, { n: 2, list: [1, 2] })).toEqual({ a: ["2 of [1,2]", { b: "<>" }], c: 7 });
  });

  it("compute, with steps, execution, workflow and trigger in scope", async () => {
    const what = definition(
      [
        gives("first", "{{ $sum(input.prices) * 2 }}"),
        gives("last", {
          total: "{{ steps.first + 1 }}",
          names: "{{ input.people[age > 30].name }}",
          by: "{{ trigger.type }}",
          version: "{{ workflow.version }}",
          id: "{{ execution.id }}",
          missing: "{{ steps.nobody.x }}",
        }),
      ],
      "first > last",
    );
    const people = [
      { name: "Ada", age: 36 },
      { name: "Bob", age: 12 },
      { name: "Cy", age: 50 },
    ];
    const { id, output } = await run(what, { prices: [1, 2.5], people });
    expect(output).toEqual({ total: 8, names: ["Ada", "Cy"], by: "manual", version: 1, id, missing: null });
  });
});

describe("condition", () => {
  const what = definition(
    [node("c", "condition", { if: "{{ input.n > 3 }}" }), gives("yes", "big"), gives("no", "small")],
    "c:true > yes",
    "c:false > no",
  );

  it.each([
    [{ n: 4 }, "big"],
    [{ n: 3 }, "small"],
    [{}, "small"],
  ])("takes one branch for %j", async (input, output) => {
    expect(await run(what, input)).toMatchObject({ status: "completed", output });
  });

  it("logs the branch that it did not take as skipped, with all steps that only this branch reaches", async () => {
    const longer = definition([...what.nodes, gives("after", 1)], "no > after");
    longer.edges.push(...what.edges);
    const { id } = await run(longer, { n: 9 });
    const log = await readLog(api, `${space}/executions/${id}`);
    const skipped = log.filter(({ event }) => event === "step.skipped").map(({ nodeId }) => nodeId);
    expect(skipped.sort()).toEqual(["after", "no"]);
  });
});

describe("steps that ask a language model", () => {
  it.each(["llm", "agent"])("fail with a clear error when no model is configured: %s", async type => {
    const data = type === "llm" ? { prompt: "Hello?" } : { goal: "Say hello.", toolIds: [] };
    expect((await run(definition([node("a", type, data)]))).error).toMatchObject({ code: "model_not_configured" });
  });
});

describe("switch", () => {
  const what = definition(
    [
      node("s", "switch", {
        value: "{{ input.kind }}",
        cases: [
          { id: "one", equals: 1 },
          { id: "deep", equals: { a: [1] } },
        ],
      }),
      gives("a", "number one"),
      gives("b", "the object"),
      gives("c", "none of them"),
    ],
    "s:case:one > a",
    "s:case:deep > b",
    "s:default > c",
  );

  it.each([
    [1, "number one"],
    [{ a: [1] }, "the object"],
    ["1", "none of them"],
    [null, "none of them"],
  ])("leads from %j to %s", async (kind, output) => {
    expect(await run(what, { kind })).toMatchObject({ status: "completed", output });
  });

  it("leaves by the matching case", async () => {
    expect((await run(definition([what.nodes[0]!]), { kind: 1 })).output).toEqual({ value: 1, case: "one" });
    expect((await run(definition([what.nodes[0]!]), { kind: 5 })).output).toEqual({ value: 5, case: "default" });
  });
});

describe("branches", () => {
  it("run in parallel: each of two questions is asked before the other is answered", async () => {
    const ask = (id: string) => node(id, "human", { prompt: id });
    const path = await startAndAsk(definition([ask("left"), ask("right")]));
    await api.patch(`${path}/respond`, { nodeId: "right", data: "r" });
    await untilEvent(api, path, "execution.suspended", 2);
    await api.patch(`${path}/respond`, { nodeId: "left", data: "l" });
    expect((await untilEnd(api, path)).output).toMatchObject({ left: { data: "l" }, right: { data: "r" } });
  });

  it("output an object by node id if several end", async () => {
    const what = definition([node("t", "trigger"), gives("a", 1), gives("b", "{{ input }}")], "t > a", "t > b");
    expect((await run(what, "in")).output).toEqual({ a: 1, b: "in" });
  });

  it("output the result of the one that ran if the other was skipped", async () => {
    const what = definition(
      [node("c", "condition", { if: true }), gives("a", 1), gives("b", 2)],
      "c:true > a",
      "c:false > b",
    );
    expect((await run(what)).output).toBe(1);
  });
});

describe("merge", () => {
  it("waits for all branches that are not skipped, and returns their outputs by source", async () => {
    const what = definition(
      [
        node("c", "condition", { if: "{{ input }}" }),
        gives("a", "A"),
        gives("b", "B"),
        node("slow", "delay", { ms: 60 }),
        node("m", "merge"),
      ],
      "c:true > a",
      "c:false > b",
      "c:true > slow",
      "a > m",
      "b > m",
      "slow > m",
    );
    expect((await run(what, true)).output).toEqual({ a: "A", slow: { result: true } });
  });

  it("in mode any continues with the first branch, and runs once", async () => {
    const what = definition(
      [
        gives("quick", "Q"),
        node("never", "human", { prompt: "?" }),
        node("m", "merge", { mode: "any" }),
        gives("after", "{{ steps.m }}"),
      ],
      "quick > m",
      "never > m",
      "m > after",
    );
    const path = await startAndAsk(what);
    const before = await readLog(api, path);
    expect(before.find(({ nodeId, event }) => nodeId === "after" && event === "step.completed")?.output).toEqual({
      quick: "Q",
    });
    await api.patch(`${path}/approve`);
    expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { quick: "Q" } });
    const log = await readLog(api, path);
    expect(log.filter(({ nodeId, event }) => nodeId === "m" && event === "step.started")).toHaveLength(1);
  });
});

describe("delay", () => {
  it("passes its input on after milliseconds, at a time, or at once for a past time", async () => {
    const outputs = await Promise.all(
      [
        { ms: 30 },
        { until: new Date(Date.now() + 50).toISOString() },
        { until: "2020-01-01T00:00:00Z" },
        { ms: 0 },
      ].map(async data => (await run(definition([node("d", "delay", data)]), { kept: true })).output),
    );
    expect(outputs).toEqual(Array(4).fill({ kept: true }));
  });

  it("holds no worker while it is long, and a cancel ends it", async () => {
    const workflowId = await newWorkflow(api, space, definition([node("d", "delay", { ms: 3_600_000 })]));
    const { body } = await api.post(`${space}/executions`, { workflowId });
    const path = `${space}/executions/${body.id}`;
    await untilEvent(api, path, "step.log");
    expect((await api.get(path)).body.status).toBe("running");
    expect((await api.delete(path)).status).toBe(204);
    expect((await untilEnd(api, path)).status).toBe("cancelled");
    expect(await api.delete(path)).toMatchObject({ status: 409, body: { code: "execution_finished" } });
  });

  it("ends on time although no worker holds it", async () => {
    expect(await run(definition([node("d", "delay", { ms: 1_300 }), gives("t", "awake")], "d > t"))).toMatchObject({
      status: "completed",
      output: "awake",
    });
  });
});

describe("respond and fail", () => {
  it("respond gives its body", async () => {
    expect(
      (await run(definition([node("r", "respond", { status: 201, body: { got: "{{ input }}" } })]), 7)).output,
    ).toEqual({
      got: 7,
    });
  });

  it.each([
    [{ message: "No {{ input }}" }, { code: "failed", message: "No way" }],
    [
      { message: "m", code: "out_of_stock" },
      { code: "out_of_stock", message: "m" },
    ],
  ])("fail ends the run: %j", async (data, error) => {
    const { status, error: seen } = await run(definition([node("f", "fail", data)]), "way");
    expect(status).toBe("failed");
    expect(seen).toMatchObject({ ...error, nodeId: "f" });
  });
});

describe("a step that cannot", () => {
  const broken = (onError: string) => node("b", "transform", { value: "{{ $number('x') }}" }, { policy: { onError } });

  it("fails the run with its code and node", async () => {
    expect(await run(definition([broken("fail"), gives("t", 1)], "b > t"))).toMatchObject({
      status: "failed",
      output: null,
      error: { code: "expression_error", nodeId: "b", message: expect.stringMatching(/^\/data\/value: (?!value)/) },
    });
  });

  it("continues with the error as output if the policy says continue", async () => {
    const { output } = await run(definition([broken("continue"), gives("t", "{{ steps.b.error.code }}")], "b > t"));
    expect(output).toBe("expression_error");
  });

  it("leaves by `error` if the policy says route", async () => {
    const what = definition(
      [broken("route"), gives("fine", "fine"), gives("sad", "{{ steps.b.error.message }}")],
      "b > fine",
      "b:error > sad",
    );
    expect((await run(what)).output).toMatch(/number/);
  });

  it("fails if its data is invalid after its expressions were evaluated", async () => {
    const what = definition([node("d", "delay", { ms: "{{ input }}" })]);
    expect(await run(what, "soon")).toMatchObject({ status: "failed", error: { code: "invalid_data", nodeId: "d" } });
  });

  it("passes on an input of any size", async () => {
    const input = "x".repeat(300_000);
    const says = gives("t", "{{ $length(steps.s) }}");
    for (const first of [node("s", "trigger"), node("s", "delay", { ms: 1 }), gives("s", "{{ input }}")]) {
      const whole = { status: "completed", output: 300_000 };
      expect(await run(definition([first, says], "s > t"), input)).toMatchObject(whole);
    }
  });
});

describe("an unreadable definition", () => {
  const a = gives("a", 1);
  const b = gives("b", 2);
  it.each<[string, unknown, string | null]>([
    ["a cycle", definition([a, b], "a > b", "b > a"), "a"],
    ["an unknown type", definition([node("x", "teleport")]), "x"],
    ["an edge to nowhere", definition([a], "a > ghost"), "ghost"],
    ["an edge from nowhere", definition([a], "ghost > a"), "ghost"],
    ["two nodes of one id", definition([a, a]), "a"],
    ["a handle that is not there", definition([a, b], "a:left > b"), "a"],
    ["data that is not valid", definition([node("h", "http", { url: 5 })]), "h"],
    ["data that is missing", definition([node("s", "switch")]), "s"],
    ["a bad policy", definition([node("p", "transform", { value: 1 }, { policy: { onError: "panic" } })]), "p"],
    ["an expression that is not JSONata", definition([gives("e", "{{ 1 + }}")]), "e"],
    ["an expression that never closes", definition([gives("e", "{{ 1")]), "e"],
    ["a parent that is not there", definition([node("p", "transform", { value: 1 }, { parentId: "x" })]), "p"],
    ["text", "nodes", null],
    ["a list", [], null],
    ["nodes that are no list", { nodes: {} }, null],
  ])("fails the run with its faults, which validation reports before: %s", async (_, what, nodeId) => {
    const { status, error, workflowId } = await run(what);
    expect({ status, code: error.code }).toEqual({ status: "failed", code: "invalid_definition" });
    expect(error.faults).toContainEqual({ nodeId, path: expect.any(String), message: expect.any(String) });
    const { status: answered, body } = await api.post(`${space}/workflows/${workflowId}/validate`);
    expect(answered).toBe(200);
    const faults = (error.faults as object[]).map(fault => ({ ...fault, severity: "error" }));
    expect(body).toEqual({ valid: false, faults });
  });
});
