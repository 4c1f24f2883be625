import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { read } from "../support/executions.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const AT_ONCE = 50;

let second: Server | undefined;
let api: Api;
let viaSecond: Api;
let space: string;
let asks: string;

beforeAll(async () => {
  const first = await sharedServer();
  second = await startServer({ dataDir: first.dataDir });
  ({ api, space } = await newWorkspace(first.url));
  viaSecond = api.at(second.url);
  asks = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "Which?" })]));
});
afterAll(() => second?.stop());

const start = (body: object, by = api, headers = {}) =>
  by.post(`${space}/executions`, { workflowId: asks, ...body }, headers);
const idsOf = async (query: string, by = api) => {
  const { status, body } = await by.get(`${space}/executions?${query}`);
  expect(status).toBe(200);
  return (body as { id: string }[]).map(({ id }) => id);
};

describe("a key", () => {
  it.each(["return", "reject"] as const)(
    "lets one of fifty concurrent starts win, while the others %s",
    async onConflict => {
      const body = { key: `fifty-${onConflict}`, onConflict };
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => start(body, i % 2 === 0 ? api : viaSecond)),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(created).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 201);
      if (onConflict === "return") {
        expect(new Set(others.map(({ status, body: run }) => `${status} ${run.id}`))).toEqual(
          new Set([`200 ${created[0]!.body.id}`]),
        );
      } else {
        expect(new Set(others.map(({ status, body: problem }) => `${status} ${problem.code}`))).toEqual(
          new Set(["409 execution_key_taken"]),
        );
      }
      expect(await idsOf(`key=${body.key}`, viaSecond)).toEqual([created[0]!.body.id]);
    },
  );

  it("allows no start while a run with the key is open, even if the start would end at once", async () => {
    const steps = [
      gives("a", 1),
      node("if", "condition", { if: "{{ input.asks }}" }),
      node("ask", "human", { prompt: "?" }),
    ];
    const workflowId = await newWorkflow(api, space, definition(steps, "a > if", "if:true > ask"));
    const begin = (n: number, asks: boolean) =>
      start({ workflowId, key: "mixed", onConflict: "reject", input: { asks } }, n % 2 ? api : viaSecond);
    // Runs that end at once take turns with one another, until one of those that ask has the key.
    const mixed = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => begin(n, n % 5 === 4)));
    const created = mixed.filter(({ status }) => status === 201);
    const asking = mixed.filter(({ status }, n) => status === 201 && n % 5 === 4);
    expect(asking.length).toBeLessThanOrEqual(1);
    const open = asking[0] ?? (await begin(0, true));
    expect(open.status).toBe(201);
    const late = await Promise.all(Array.from({ length: 10 }, (_, n) => begin(n, false)));
    expect(new Set(late.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["409 execution_key_taken"]),
    );
    const ids = new Set([...created, open].map(({ body }) => body.id as string));
    expect((await idsOf("key=mixed")).toSorted()).toEqual([...ids].toSorted());
    await api.patch(`${space}/executions/${open.body.id}/approve`);
    await untilEnd(api, `${space}/executions/${open.body.id}`);
    for (const n of [0, 1, 2]) expect((await begin(n, false)).status).toBe(201);
  });

  it("lets each start cancel the open run, so that one run stays open", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => start({ key: "latest", onConflict: "cancel" }, i % 2 ? api : viaSecond)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { body } = await api.get(`${space}/executions?key=latest`);
    const open = (body as { status: string }[]).filter(({ status }) => status !== "cancelled");
    expect([body.length, open.length]).toEqual([12, 1]);
  });

  it("is free again when its run has completed, was cancelled, or ended after a kill", async () => {
    const ended = async (end: (path: string) => Promise<unknown>) => {
      const { status, body } = await start({ key: "again", onConflict: "reject" });
      expect(status).toBe(201);
      await untilEvent(api, `${space}/executions/${body.id}`, "execution.suspended");
      await end(`${space}/executions/${body.id}`);
      await untilEnd(api, `${space}/executions/${body.id}`);
    };
    await ended(path => api.patch(`${path}/approve`));
    await ended(path => api.delete(path));
    await ended(path => viaSecond.delete(path));
    expect(await idsOf("key=again")).toHaveLength(3);
  });

  it("belongs to its workflow, and a retry keeps it", async () => {
    const fails = await newWorkflow(api, space, definition([node("f", "fail", { message: "No" })]));
    const run = await start({ key: "one", workflowId: fails, labels: { order: "7" } }, api, { prefer: "wait=20" });
    expect(run.body).toMatchObject({ status: "failed", key: "one", labels: { order: "7" } });
    expect((await start({ key: "one" })).status).toBe(201);
    const retried = await api.post(`${space}/executions/${run.body.id}/retry`);
    expect(retried).toMatchObject({ status: 201, body: { key: "one", labels: { order: "7" } } });
    await untilEnd(api, `${space}/executions/${retried.body.id}`);
  });

  it("returns the original run for a repeated start, although the run is open", async () => {
    const headers = { "idempotency-key": "start-once" };
    const first = await start({ key: "sent-again", onConflict: "reject" }, api, headers);
    const second = await start({ key: "sent-again", onConflict: "reject" }, viaSecond, headers);
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
  });

  it.each<object>([{ key: "" }, { key: "x".repeat(201) }, { key: 7 }, { labels: { "": "a" } }, { labels: { a: 1 } }])(
    "is rejected: %j",
    async body => {
      expect((await start(body)).status).toBe(400);
    },
  );
});

describe("settings", () => {
  it("compute the key and labels of every run, also of one that a webhook starts", async () => {
    const settings = {
      key: "{{ input.orderId }}",
      labels: { customer: "{{ input.customer }}", gone: "{{ input.none }}" },
    };
    const workflowId = await newWorkflow(api, space, {
      ...definition([node("ask", "human", { prompt: "?" })]),
      settings,
    });
    const input = { orderId: 4711, customer: "ada" };
    const first = await start({ workflowId, input });
    expect(first).toMatchObject({ status: 201, body: { key: "4711", labels: { customer: "ada" } } });
    expect(await start({ workflowId, input }, viaSecond)).toMatchObject({
      status: 200,
      body: { id: first.body.id, input },
    });
    await api.post(`${space}/workflows/${workflowId}/deploy`, {});
    const hook = (await api.post(`${space}/webhooks`, { name: "Orders", workflowId })).body;
    const delivered = await api.post(`/v1/webhooks/${hook.token ?? hook.id}/trigger`, input, {
      "x-webhook-secret": hook.secret,
    });
    expect(delivered.body).toMatchObject({ id: first.body.id });
    const long = await start({ workflowId, input: { orderId: "x".repeat(300) } });
    expect(long).toMatchObject({ status: 400, body: { errors: [{ path: "/key" }] } });
  });
});

describe("labels", () => {
  it("find runs, together with other filters and over pages", async () => {
    const ids: string[] = [];
    for (const [order, region] of [
      ["1", "eu"],
      ["2", "eu"],
      ["3", "us"],
      ["4", "eu"],
    ] as const)
      ids.push((await start({ labels: { order, region } })).body.id);
    expect(await idsOf("label.region=eu")).toEqual([ids[3], ids[1], ids[0]]);
    expect(await idsOf("label.region=eu&label.order=2", viaSecond)).toEqual([ids[1]]);
    expect(await idsOf("label%5Bregion%5D=us")).toEqual([ids[2]]);
    expect(await idsOf("label.region=eu&status=completed")).toEqual([]);
    const first = await api.get(`${space}/executions?label.region=eu&limit=2`);
    expect((first.body as { id: string }[]).map(({ id }) => id)).toEqual([ids[3], ids[1]]);
    const [, next = ""] = /<([^>]+)>/.exec(first.headers.get("link") ?? "") ?? [];
    expect(((await api.get(next)).body as { id: string }[]).map(({ id }) => id)).toEqual([ids[0]]);
    expect((await api.get(`${space}/executions?label.region=eu&label.region=us`)).status).toBe(400);
    expect((await api.get(`${space}/executions?label=eu`)).status).toBe(400);
  });

  it("stay the same if a change does not mention them", async () => {
    const { body } = await start({ labels: { customer: "ada" } });
    expect(await api.patch(`${space}/executions/${body.id}`, {})).toMatchObject({
      status: 200,
      body: { labels: { customer: "ada" } },
    });
  });

  it("and a note can be changed, and are invisible to other workspaces", async () => {
    const { body } = await start({ labels: { state: "new" } });
    const path = `${space}/executions/${body.id}`;
    const changed = await api.patch(path, { labels: { state: "seen" }, note: "Called them." });
    expect(changed).toMatchObject({ status: 200, body: { labels: { state: "seen" }, note: "Called them." } });
    expect(await idsOf("label.state=new")).toEqual([]);
    expect(await idsOf("label.state=seen")).toEqual([body.id]);
    await api.patch(path, { labels: {}, note: null });
    const bare = await read(api, path);
    expect([bare.labels, bare.note]).toEqual([undefined, undefined]);
    const stranger = await newWorkspace(second!.url);
    expect((await stranger.api.patch(path, { note: "x" })).status).toBe(404);
    expect((await stranger.api.get(`${stranger.space}/executions?label.region=eu`)).body).toEqual([]);
  });
});
