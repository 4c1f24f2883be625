import { type Api, type Json, newWorkspace } from "../support/api.ts";
import { start } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { imported } from "../support/n8n.ts";
import { sharedServer } from "../support/shared.ts";
import { StandIns } from "../support/stand-ins.ts";

// What is behind a loop of n8n gets the items that came back to it, whatever the last steps of a turn give here.

const standIns = new StandIns();
let api: Api;
let space: string;
beforeAll(async () => {
  const [server] = await Promise.all([sharedServer(), standIns.open()]);
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(() => standIns.close());

const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  ...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 1, parameters, position: [0, 0] },
  ...more,
});
const set = (name: string, value: string) =>
  node(
    name,
    "set",
    { assignments: { assignments: [{ id: "1", name: "n", value, type: "number" }] } },
    { typeVersion: 3.4 },
  );
const isOdd = (name: string) =>
  node(
    name,
    "if",
    {
      conditions: {
        combinator: "and",
        conditions: [
          { leftValue: "={{ $json.n % 2 }}", rightValue: 1, operator: { type: "number", operation: "equals" } },
        ],
      },
    },
    { typeVersion: 2 },
  );
const loop = (name: string) => node(name, "splitInBatches", {}, { typeVersion: 3 });
const code = (name: string, jsCode: string) => node(name, "code", { jsCode }, { typeVersion: 2 });
const http = (name: string, more: object = {}) =>
  node(
    name,
    "httpRequest",
    { url: "={{ $('Start').item.json.api }}/{{ $json.n }}", options: {} },
    {
      typeVersion: 4.2,
      ...more,
    },
  );
const to = (...outputs: string[][]) => ({
  main: outputs.map(names => names.map(name => ({ node: name, type: "main", index: 0 }))),
});

/** A loop over the numbers 1 to 4 with this body. The last step says what it gets. */
const around = (body: Json[], connections: Record<string, object>) => ({
  name: "A loop",
  nodes: [
    node("Start", "manualTrigger"),
    code("Numbers", "return [1, 2, 3, 4].map(n => ({ json: { n } }));"),
    loop("Loop"),
    ...body,
    code("All", "return { json: { all: items.map(one => one.json) } };"),
  ],
  connections: { Start: to(["Numbers"]), Numbers: to(["Loop"]), ...connections },
});

async function allOf(file: object): Promise<{ run: Json; map: unknown }> {
  const { status, body } = await api.post(`${space}/workflows/import`, file);
  expect(status).toBe(201);
  expect((await api.post(`${space}/workflows/${body.id}/validate`)).body.valid).toBe(true);
  const service = standIns.add(({ path }) => ({ body: { n: Number(path.slice(1)) * 10 } }));
  const { path } = await start(api, space, body.id as string, { api: service.url });
  const run = await untilEnd(api, path);
  expect(run).toMatchObject({ status: "completed", error: null });
  const { body: log } = await api.get(`${path}/logs?nodeId=loop&event=step.completed`);
  return { run: run.output.all, map: (log as Json[]).at(-1).output };
}

const n = (...values: number[]) => values.map(value => ({ n: value }));

test.each<[string, object, Json[], Json[]]>([
  [
    "the last step's output is the item",
    around([set("Double", "={{ $json.n * 2 }}")], { Loop: to(["All"], ["Double"]), Double: to(["Loop"]) }),
    n(2, 4, 6, 8),
    n(2, 4, 6, 8),
  ],
  [
    "the item is in the body of a response",
    around([http("Call")], { Loop: to(["All"], ["Call"]), Call: to(["Loop"]) }),
    n(10, 20, 30, 40),
    n(10, 20, 30, 40),
  ],
  [
    "a condition passes on what came before it, on one of two ways",
    around([http("Call"), isOdd("Odd"), set("Odd one", "={{ $('Loop').item.json.n }}")], {
      ...{ Loop: to(["All"], ["Odd"]), Odd: to(["Odd one"], ["Call"]) },
      ...{ "Odd one": to(["Loop"]), Call: to(["Loop"]) },
    }),
    n(1, 20, 3, 40),
    n(1, 20, 3, 40),
  ],
  [
    "a condition leads back by itself",
    around([http("Call"), isOdd("Odd"), set("Odd one", "={{ $json.n + 1 }}")], {
      ...{ Loop: to(["All"], ["Call"]), Call: to(["Odd"]) },
      ...{ Odd: to(["Odd one"], ["Loop"]), "Odd one": to(["Loop"]) },
    }),
    n(10, 20, 30, 40),
    n(10, 20, 30, 40),
  ],
  [
    "one way ends before it comes back",
    around([isOdd("Odd"), set("Odd one", "={{ $json.n + 1 }}"), set("Kept aside", "={{ $json.n * 100 }}")], {
      ...{ Loop: to(["All"], ["Odd"]), Odd: to(["Odd one"], ["Kept aside"]), "Odd one": to(["Loop"]) },
    }),
    n(2, 4),
    [n(2), [], n(4), []],
  ],
  [
    "a turn gives several items",
    around([code("Twice", "return [{ json: { n: items[0].json.n } }, { json: { n: 0 } }];")], {
      ...{ Loop: to(["All"], ["Twice"]), Twice: to(["Loop"]) },
    }),
    n(1, 0, 2, 0, 3, 0, 4, 0),
    [n(1, 0), n(2, 0), n(3, 0), n(4, 0)],
  ],
  [
    "a loop is inside the loop",
    around(
      [
        code("Parts", "return [1, 2].map(part => ({ json: { n: items[0].json.n * 10 + part } }));"),
        ...[loop("Inner"), http("Call")],
      ],
      {
        ...{ Loop: to(["All"], ["Parts"]), Parts: to(["Inner"]) },
        ...{ Inner: to(["Loop"], ["Call"]), Call: to(["Inner"]) },
      },
    ),
    n(110, 120, 210, 220, 310, 320, 410, 420),
    [n(110, 120), n(210, 220), n(310, 320), n(410, 420)],
  ],
  [
    "two nodes lead back at the same time",
    around([set("A", "={{ $json.n }}"), set("B", "={{ -$json.n }}")], {
      ...{ Loop: to(["All"], ["A", "B"]), A: to(["Loop"]), B: to(["Loop"]) },
    }),
    n(1, -1, 2, -2, 3, -3, 4, -4),
    [n(1, -1), n(2, -2), n(3, -3), n(4, -4)],
  ],
])("where %s", async (_, file, items, map) => {
  expect(await allOf(file)).toEqual({ run: items, map });
});

test("gives no item for a failed call without an error path", () => {
  const file = around([http("Call", { onError: "continueErrorOutput" })], {
    ...{ Loop: to(["All"], ["Call"]), Call: to(["Loop"]) },
  });
  const { nodes } = imported(file);
  expect(nodes.loop_items.data).toEqual({ value: "{{ $exists(steps.call) ? ([steps.call.body]) : [] }}" });
});

test("may end a round at a choice without a branch for its value", async () => {
  const rules = [1, 2].map(value => ({ operation: "equal", value2: value, output: value - 1 }));
  const choose = node("Choose", "switch", { dataType: "number", value1: "={{ $json.n }}", rules: { rules } });
  const file = around([choose, set("One", "={{ $json.n }}"), set("Two", "={{ $json.n * 100 }}")], {
    ...{ Loop: to(["All"], ["Choose"]), Choose: to(["One"], ["Two"]), One: to(["Loop"]), Two: to(["Loop"]) },
  });
  expect(await allOf(file)).toEqual({ run: n(1, 200), map: [n(1), n(200), [], []] });
});

test("gives a step after two branches the value of the branch that was taken", async () => {
  const file = around(
    [http("Call"), isOdd("Odd"), set("Tenth", "={{ $json.n / 10 }}"), set("After", "={{ $json.n + 1 }}")],
    {
      ...{ Loop: to(["All"], ["Odd"]), Odd: to(["Call"], ["After"]), Call: to(["Tenth"]), Tenth: to(["After"]) },
      After: to(["Loop"]),
    },
  );
  expect((await allOf(file)).run).toEqual(n(2, 3, 4, 5));
});

test("joins the items of two nodes into one list", () => {
  const file = {
    nodes: [
      ...[node("Start", "manualTrigger"), set("A", "1"), set("B", "2"), node("Merge", "merge", {}, { typeVersion: 3 })],
      node("Answer", "respondToWebhook", { respondWith: "allIncomingItems" }, { typeVersion: 1.1 }),
    ],
    connections: {
      ...{ Start: to(["A", "B"]), A: to(["Merge"]), Merge: to(["Answer"]) },
      B: { main: [[{ node: "Merge", type: "main", index: 1 }]] },
    },
  };
  expect(imported(file as never).nodes.answer.data.body).toBe("{{ [([steps.a, steps.b])] }}");
});

test("warns at a loop with unknown results, and keeps a step that needs them unconverted", () => {
  const merge = node("Merge", "merge", { mode: "combine", combineBy: "combineByPosition" }, { typeVersion: 3 });
  const rows = node("Rows", "postgres", { operation: "select", table: "t", returnAll: true }, { typeVersion: 2.5 });
  const file = around([rows, set("A", "={{ 1 }}"), merge], {
    ...{ Loop: to(["All"], ["Rows", "A"]), Rows: to(["Merge"]), Merge: to(["Loop"]) },
    A: { main: [[{ node: "Merge", type: "main", index: 1 }]] },
  });
  const { nodes, warnings } = imported(file);
  expect(nodes.all.type).toBe("n8n-nodes-base.code");
  expect(warnings).toContainEqual(
    expect.objectContaining({ nodeId: "loop", message: expect.stringContaining("not the items of n8n") as string }),
  );
});
