import { isDeepStrictEqual } from "node:util";
import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { openStream } from "../support/event-stream.ts";
import { EventStream } from "../support/events.ts";
import { eventually, ledgerCall, read, start, type Started } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { historyFaults } from "../support/history-faults.ts";
import { Gate, Ledger } from "../support/ledger.ts";
import { addMembers } from "../support/members.ts";
import { describeWithNats } from "../support/nats.ts";
import { Nodes } from "../support/nodes.ts";

const SERVICES = [
  "audit",
  "credentials",
  "executions",
  "files",
  "idempotency",
  "identity",
  "knowledge",
  "mcp",
  "memory",
  "models",
  "notifications",
  "pods",
  "schedules",
  "variables",
  "webhooks",
  "workflows",
  "workspaces",
];
const EACH = 4;

describeWithNats("the same services on several nodes", () => {
  let nodes: Nodes;
  let ledger: Ledger;
  let via1: Api;
  let via2: Api;
  let workspaceId: string;
  let space: string;

  beforeAll(async () => {
    [nodes, ledger] = await Promise.all([Nodes.open(), Ledger.open()]);
  });
  afterAll(async () => {
    await nodes?.close();
    await ledger?.close();
  });
  beforeEach(() => {
    ledger.behaviour = () => undefined;
  });

  /** Calls of the ledger are not answered before the gate opens. */
  function held(): Gate {
    const gate = new Gate();
    ledger.behaviour = async () => {
      await gate.opened;
      return undefined;
    };
    return gate;
  }

  /** What a gateway says of itself and of the services that it needs. */
  async function readiness(url: string): Promise<{ status: number; nats?: string; down?: string[] }> {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (!answer) return { status: 0 };
    const { dependencies } = (await answer.json()) as Json;
    const services = Object.entries(dependencies.services ?? {});
    const down = services.filter(([, state]) => state === "down").map(([name]) => name);
    return { status: answer.status, nats: dependencies.nats, down: down.sort() };
  }

  it("start one after another, and the gateway names the missing ones until all are running", async () => {
    const env = { EXECUTIONS_CONCURRENCY: String(EACH) };
    const { url } = await nodes.gateway();
    const says = (status: number, down: string[]) => async () =>
      isDeepStrictEqual(await readiness(url), { status, nats: "ok", down });
    await eventually(says(503, SERVICES), "all are missing");
    await nodes.worker(env);
    await eventually(
      says(
        503,
        SERVICES.filter(name => name !== "executions"),
      ),
      "executions are there",
    );
    await Promise.all([nodes.rest(), nodes.gateway(), nodes.worker(env)]);
    await eventually(says(200, []), "nothing is missing");
    await nodes.ready();
    await Promise.all(nodes.workers.map(worker => nodes.joined(worker)));

    const [, second] = nodes.gateways;
    ({ api: via1, workspaceId, space } = await newWorkspace(url));
    via2 = via1.at(second?.url ?? "");
  });

  it("are reached through any gateway", async () => {
    const workflowId = await newWorkflow(via1, space, definition([gives("one", 1)]));
    expect(await read(via2, `${space}/workflows/${workflowId}`)).toEqual(
      await read(via1, `${space}/workflows/${workflowId}`),
    );
    const { path } = await start(via2, space, workflowId);
    expect(await untilEnd(via1, path)).toMatchObject({ status: "completed", output: 1 });
    const { body } = await via2.post("/v1/auth/login", {
      email: (await read(via1, "/v1/auth/me")).email,
      password: "correct horse battery",
    });
    expect(await read(via1.as(body.accessToken), "/v1/workspaces")).toHaveLength(1);
  });

  it("keep the details of an error between nodes", async () => {
    const viewer = await register(via2.url);
    await addMembers(nodes.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    const workflowId = await newWorkflow(via1, space, definition([gives("one", 1)]));
    const { path } = await start(via1, space, workflowId);
    await untilEnd(via1, path);
    const refused = {
      400: [await via2.post(`${space}/workflows`, { name: 5 }), "validation_failed", "The request is not valid"],
      403: [
        await viewer.post(`${space}/executions`, { workflowId }),
        "role_too_low",
        "This requires the role `editor`; your role is `viewer`.",
      ],
      404: [await via2.get(`${space}/executions/${workflowId}`), "not_found", "No such execution."],
      409: [await via2.delete(path), "execution_finished", "The run has already ended"],
      412: [
        await via2.patch(`${space}/workflows/${workflowId}`, { name: "Other" }, { "if-match": '"other"' }),
        "precondition_failed",
        "The resource has changed since the version in If-Match",
      ],
    } as const;
    for (const [status, [answer, code, detail]] of Object.entries(refused)) {
      expect(answer).toMatchObject({ status: Number(status), body: { status: Number(status), code, detail } });
    }
    expect(refused[400][0].body.errors).toEqual([{ path: "/name", message: expect.stringContaining("string") }]);
  });

  it("perform a request with a key once through two gateways, and audit it once", async () => {
    const pods = `/v1/workspaces/${workspaceId}/pods`;
    const both = [via1, via2, via1, via2].map(api => api.post(pods, { name: "Once" }, { "idempotency-key": "once" }));
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(3);
    const audit = (await read(via2, `/v1/workspaces/${workspaceId}/audit?action=pods.create`)) as Json[];
    expect(audit).toMatchObject([{ resourceId: answers[0]?.body.id, outcome: "succeeded", address: "127.0.0.1" }]);
  });

  it("answer callers that wait for a run on any worker", async () => {
    const gate = held();
    const workflowId = await newWorkflow(via1, space, definition([ledgerCall(ledger, "call")]));
    const before = ledger.calls.length;
    const answers = Array.from({ length: 2 * EACH }, (_, i) =>
      (i % 2 ? via1 : via2).post(`${space}/executions`, { workflowId }, { prefer: "wait=20" }),
    );
    // More at a time than one worker takes.
    await ledger.until(() => ledger.calls.length === before + 2 * EACH, "both workers are at work");
    gate.open();
    for (const answer of answers) expect((await answer).body).toMatchObject({ status: "completed" });
  });

  it("let people follow and approve a run through another gateway", async () => {
    const steps = [
      ledgerCall(ledger, "before"),
      node("ask", "human", { prompt: "Go on?" }),
      ledgerCall(ledger, "after"),
    ];
    const workflowId = await newWorkflow(via1, space, definition(steps, "before > ask", "ask > after"));
    const { id, path } = await start(via1, space, workflowId);
    const streams = await Promise.all([EventStream.open(via1, path), EventStream.open(via2, path)]);
    await Promise.all(streams.map(stream => stream.until("execution.suspended")));
    expect((await via2.patch(`${path}/approve`)).status).toBe(200);
    const [seen1, seen2] = await Promise.all(streams.map(stream => stream.toEnd()));
    expect(seen2?.map(event => event.id)).toEqual(seen2?.map((_, i) => i + 1));
    expect(seen2).toEqual(seen1);
    expect(await readLog(via2, path)).toEqual(seen1?.map(event => event.data));
    expect(await historyFaults(via2, path, ledger)).toEqual([]);
    expect([ledger.count(`${id}:before`), ledger.count(`${id}:after`)]).toEqual([1, 1]);
  });

  it("abort the call of a cancelled run on the worker that makes it", async () => {
    const gate = held();
    const workflowId = await newWorkflow(via1, space, definition([ledgerCall(ledger, "held")]));
    const runs: Started[] = [];
    for (let i = 0; i < 4; i++) runs.push(await start(via1, space, workflowId));
    await ledger.until(() => runs.every(({ id }) => ledger.count(`${id}:held`) === 1), "all are held");
    // Calls take turns between the workers: in this order half of them reach the worker that does not have the run.
    for (const i of [0, 2, 1, 3]) expect((await via2.delete(runs[i]?.path ?? "")).status).toBe(204);
    const calls = runs.map(({ id }) => ledger.calls.find(call => call.key === `${id}:held`));
    await ledger.until(() => calls.every(call => call?.cut), "every call is cut");
    gate.open();
    for (const { path } of runs) expect(await historyFaults(via1, path, ledger)).toEqual([]);
  });

  it("close everything that a revoked API key has open, at every gateway", async () => {
    const keys = `/v1/workspaces/${workspaceId}/api-keys`;
    const { id, key } = (await via1.post(keys, { name: "a key" })).body;
    const byKey = [via1, via2].map(api => api.as(key));
    const workflowId = await newWorkflow(via1, space, definition([node("ask", "human", { prompt: "Go on?" })]));
    const { path } = await start(byKey[0] as Api, space, workflowId);
    const [own, ...streams] = await Promise.all([via1, ...byKey].map(api => EventStream.open(api, path)));
    await Promise.all(streams.map(stream => stream.until("execution.suspended")));
    const waiting = byKey.map(api => api.post(`${space}/executions`, { workflowId }, { prefer: "wait=20" }));
    const runs = async () => (await read(via1, `${space}/executions?workflowId=${workflowId}`)) as Json[];
    await eventually(async () => (await runs()).length === 3, "both runs are waited for");

    expect((await via2.delete(`${keys}/${id}`)).status).toBe(204);
    for (const api of byKey) expect(await api.get("/v1/workspaces")).toMatchObject({ status: 401 });
    for (const answer of waiting)
      expect(await answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    for (const stream of streams) {
      expect((await stream.toEnd()).at(-1)).toMatchObject({ event: "execution.suspended" });
      expect(stream.broken).toBe(false);
    }
    expect((await via2.patch(`${path}/approve`)).status).toBe(200);
    expect((await own?.toEnd())?.at(-1)).toMatchObject({ event: "execution.completed" });
    for (const run of await runs()) if (run.status === "suspended") await via1.delete(`${space}/executions/${run.id}`);
  });

  it("stream notifications at every gateway, for changes through any gateway", async () => {
    const member = await register(via1.url);
    await addMembers(nodes.dataDir, [{ workspaceId, userId: member.userId, role: "viewer" }]);
    const open = (url: string) => openStream(`${url}/v1/notifications/stream`, { token: member.token });
    const streams = await Promise.all([via1.url, via2.url].map(open));
    const path = `/v1/workspaces/${workspaceId}/members/${member.userId}`;
    for (const [place, via] of [via1, via2, via1].entries()) {
      expect((await via.patch(path, { role: place === 1 ? "admin" : "editor" })).status).toBe(200);
      const heard = await Promise.all(streams.map(stream => stream.next()));
      expect(heard.map(event => event?.id)).toEqual([`${place + 1}`, `${place + 1}`]);
      expect(heard[0]?.data).toBe(heard[1]?.data);
    }
    streams.forEach(stream => stream.leave());
  });

  it("carry bodies and answers that are larger than a message of NATS", async () => {
    const workflowId = await newWorkflow(via1, space, null);
    const big = "x".repeat(1_048_000);
    const run = await via1.post(`${space}/executions`, { workflowId, input: big });
    expect([run.status, run.body.input === big]).toEqual([201, true]);
    await untilEnd(via1, `${space}/executions/${run.body.id}`);
    // Each number is five bytes here and twenty-two between the nodes, and comes back as input and as output.
    const numbers = `[${Array.from({ length: 200_000 }, () => "1e20").join(",")}]`;
    const body = `{"workflowId":"${workflowId}","input":${numbers}}`;
    const counted = await via2.post(`${space}/executions`, body, { prefer: "wait=20" });
    expect(counted.body).toMatchObject({ status: "completed" });
    expect(counted.body.output).toHaveLength(200_000);
    const tooLarge = await via1.post(`${space}/executions`, { workflowId, input: big + big.slice(0, 1_000) });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("split a log into pages that fit a message, and show every entry once", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `step${i}`);
    const graph = definition(
      names.map(name => gives(name, "{{ input }}")),
      ...names.slice(1).map((name, i) => `${names[i]} > ${name}`),
    );
    const workflowId = await newWorkflow(via1, space, graph);
    const input = "x".repeat(250_000);
    const { body } = await via1.post(`${space}/executions`, { workflowId, input }, { prefer: "wait=20" });
    const path = `${space}/executions/${body.id}`;
    const pages: { seq: number }[][] = [];
    for (let next: string | undefined = `${path}/logs?limit=200`; next;) {
      const page = await via2.get(next);
      pages.push(page.body);
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    const seqs = pages.flat().map(entry => entry.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(Math.max(...pages.map(page => JSON.stringify(page).length))).toBeLessThan(1_048_576);
    const streamed = await (await EventStream.open(via2, path)).toEnd();
    expect(streamed.map(event => event.data)).toEqual(pages.flat());
  });
});
