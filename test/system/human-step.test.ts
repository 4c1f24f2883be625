import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { Prober } from "../support/prober.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
});

const run = (what: unknown) => runToEnd(api, space, what);

/** Starts a run that will ask, and gives its path once it does. */
async function startAndAsk(what: unknown, input: unknown = null): Promise<string> {
  const workflowId = await newWorkflow(api, space, what);
  const { body } = await api.post(`${space}/executions`, { workflowId, input });
  const path = `${space}/executions/${body.id}`;
  await untilEvent(api, path, "execution.suspended");
  return path;
}

const form = {
  type: "object",
  properties: { amount: { type: "number", minimum: 1 } },
  required: ["amount"],
  additionalProperties: false,
};
const asks = definition(
  [
    node("h", "human", { prompt: "Pay {{ input.who }}?", form }),
    gives("yes", "paid {{ steps.h.data.amount }}"),
    gives("no", "refused"),
  ],
  "h:approved > yes",
  "h:rejected > no",
);

test("suspends with prompt and form, rejects invalid data, and continues with valid data", async () => {
  const path = await startAndAsk(asks, { who: "Ada" });
  const { body } = await api.get(path);
  expect(body).toMatchObject({
    status: "suspended",
    output: null,
    suspension: { nodeId: "h", prompt: "Pay Ada?", form, expiresAt: null },
  });
  for (const data of [undefined, {}, { amount: 0 }, { amount: 5, more: 1 }, "5"]) {
    const refused = await api.patch(`${path}/respond`, { approved: true, data });
    expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(refused.body.errors[0].path).toMatch(/^\/data/);
  }
  expect(await api.patch(`${path}/approve`)).toMatchObject({ status: 400 });
  const answered = await api.patch(`${path}/respond`, { approved: true, data: { amount: 5 } });
  expect(answered).toMatchObject({ status: 200 });
  expect(["pending", "running", "completed"]).toContain(answered.body.status);
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: "paid 5" });
});

describe("a hostile form", () => {
  const asksBy = (hostile: object) => definition([node("h", "human", { prompt: "?", form: hostile })]);
  const field = (name: string, schema: object) => ({ type: "object", properties: { [name]: schema } });

  it.each<[string, object, unknown, unknown]>([
    [
      "matches without end",
      field("s", { type: "string", pattern: "^(a+)+$" }),
      { s: `${"a".repeat(40)}!` },
      { s: "aa" },
    ],
    [
      "compares everything with everything",
      field("l", { type: "array", uniqueItems: true }),
      { l: Array.from({ length: 60_000 }, (_, i) => [i]) },
      { l: [1, 2] },
    ],
    ["refers to itself in the middle", field("r", { $ref: "#/properties/r" }), { r: 1 }, {}],
  ])("with %s rejects a bad answer while others are served, and accepts a good one", async (_, hostile, bomb, good) => {
    const path = await startAndAsk(asksBy(hostile));
    const prober = new Prober((await newWorkspace(server.url)).api);
    try {
      const refused = await api.patch(`${path}/respond`, { data: bomb });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: "validation_failed", detail: expect.stringContaining("The form is not a valid schema") },
      });
      const before = prober.answers.length;
      expect(before).toBeGreaterThan(0);
      expect(await api.patch(`${path}/respond`, { data: good })).toMatchObject({ status: 200 });
      expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
    } finally {
      expect((await prober.stop()).filter(status => status !== 200)).toEqual([]);
    }
  });

  it.each<[string, object]>([
    ["refers to itself", { $ref: "#" }],
    ["refers to nothing", { allOf: [{ $ref: "#/$defs/none" }] }],
    ["has a pattern that is none", field("s", { type: "string", pattern: "(" })],
    ["has keywords of other types", { required: 5 }],
    ["has no list where one belongs", { anyOf: { type: "string" } }],
    ["has ids of no address", { $id: "http://[" }],
  ])("with %s fails its step before it asks anyone", async (_, hostile) => {
    expect(await run(asksBy(hostile))).toMatchObject({
      status: "failed",
      error: { code: "invalid_data", nodeId: "h" },
    });
  });
});

test("leaves by `rejected` without a check of the form", async () => {
  const path = await startAndAsk(asks);
  expect(await api.patch(`${path}/respond`, { approved: false })).toMatchObject({ status: 200 });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: "refused" });
  expect(await api.patch(`${path}/respond`, {})).toMatchObject({
    status: 409,
    body: { code: "execution_not_suspended" },
  });
});

test("records who answered and when, and treats a plain edge as the one for an approval", async () => {
  const path = await startAndAsk(
    definition([node("h", "human", { prompt: "?" }), gives("t", "{{ steps.h }}")], "h > t"),
  );
  await api.patch(`${path}/approve`);
  const { output } = await untilEnd(api, path);
  const { body: me } = await api.get("/v1/auth/me");
  expect(output).toEqual({ approved: true, data: null, respondedBy: me.id, respondedAt: expect.any(String) });
  expect(new Date(output.respondedAt as string).toISOString()).toBe(output.respondedAt);
});

test("accepts one of many concurrent answers", async () => {
  const path = await startAndAsk(asks);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, amount) => api.patch(`${path}/respond`, { data: { amount: amount + 1 } })),
  );
  const won = answers.flatMap(({ status }, index) => (status === 200 ? [index + 1] : []));
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(29);
  expect(await untilEnd(api, path)).toMatchObject({ output: `paid ${won[0]}` });
});

test("leaves by `timeout` if it is not answered in time and has such an edge, and fails otherwise", async () => {
  const late = node("h", "human", { prompt: "?", expiresInMs: 40 });
  const [handled, failed] = await Promise.all([
    run(definition([late, gives("t", "too late")], "h:timeout > t")),
    run(definition([late])),
  ]);
  expect(handled).toMatchObject({ status: "completed", output: "too late" });
  expect(failed).toMatchObject({ status: "failed", error: { code: "approval_expired", nodeId: "h" } });
});
