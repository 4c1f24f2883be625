import { v7 as uuid } from "uuid";
import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEvent } from "../support/follow.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let base: string;
let first: string;
let second: string;
/** Runs by name: of the first space `good`, `bad` and `asks`, of the second `other`. */
const runs: Record<string, string> = {};
let workflows: Record<string, string>;
let owner: Awaited<ReturnType<typeof register>>;
let leaver: Awaited<ReturnType<typeof register>>;

const get = async (path: string, as = api): Promise<Json[]> => {
  const { status, body } = await as.get(`${base}${path}`);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body as Json[];
};
const ids = (rows: Json[]) => rows.map(({ id }) => id as string);
const named = (rows: Json[]) => ids(rows).map(id => Object.keys(runs).find(name => runs[name] === id));

async function made(path: string, body: unknown, as: Api = api): Promise<Json> {
  const answer = await as.post(path, body, { prefer: "wait=30" });
  expect(answer.status).toBe(201);
  return answer.body;
}

beforeAll(async () => {
  server = await sharedServer();
  const place = await newWorkspace(server.url);
  owner = place.api;
  api = owner;
  base = `/v1/workspaces/${place.workspaceId}`;
  first = place.space;
  leaver = await register(server.url);
  await leaver.patch("/v1/auth/me", { name: "Grace" });
  await addMembers(server.dataDir, [{ workspaceId: place.workspaceId, userId: leaver.userId, role: "editor" }]);
  second = `${base}/spaces/${(await made(`${base}/spaces`, { name: "Second" })).id}`;
  workflows = {
    good: await newWorkflow(api, first, definition([gives("a", 1)])),
    bad: await newWorkflow(api, first, definition([node("b", "transform", { value: "{{ $error('No such loom') }}" })])),
    asks: await newWorkflow(api, first, definition([node("c", "human", { prompt: "Which thread?" })])),
    other: await newWorkflow(api, second, definition([gives("d", 1), gives("e", 2)])),
  };
  for (const [name, id] of Object.entries(workflows)) {
    const space = name === "other" ? second : first;
    expect((await api.patch(`${space}/workflows/${id}`, { name: `The ${name} one` })).status).toBe(200);
    if (name === "asks") {
      runs[name] = (await api.post(`${space}/executions`, { workflowId: id })).body.id as string;
      await untilEvent(api, `${space}/executions/${runs[name]}`, "execution.suspended");
    } else
      runs[name] = (await made(`${space}/executions`, { workflowId: id }, name === "other" ? leaver : api))
        .id as string;
  }
  expect((await api.delete(`${base}/members/${leaver.userId}`)).status).toBe(204);
});

test("lists the runs of all spaces newest first, with names of workflows and former members", async () => {
  const all = await get("/executions");
  expect(named(all)).toEqual(["other", "asks", "bad", "good"]);
  expect(all[0]).toMatchObject({ workflowName: "The other one", startedByName: "Grace", startedBy: leaver.userId });
  expect(all[1].startedByName).toBe(owner.email);
  expect(all[0]).not.toHaveProperty("input");
  const inSpace = await api.get(`${first}/executions`);
  expect((inSpace.body as Json[])[0]).toMatchObject({ workflowName: "The asks one" });
});

test.each([
  ["status=failed", ["bad"]],
  ["status=failed,suspended", ["asks", "bad"]],
  ["status=completed&trigger=manual", ["other", "good"]],
  ["trigger=webhook", []],
  ["q=NO SUCH loom", ["bad"]],
  ["q=which thread", ["asks"]],
  ["q=the good", ["good"]],
  ["q=the o", ["other"]],
  ["error=expression_failed", ["bad"]],
  ["error=step_timeout", []],
  ["minMs=600000", []],
  ["to=2020-01-01T00:00:00Z", []],
  ["from=2020-01-01T00:00:00Z&status=failed", ["bad"]],
])("finds runs by %s", async (query, wanted) => {
  const path = `/executions?${query.replaceAll(" ", "%20")}`;
  const code = query.startsWith("error=expression")
    ? (await get("/executions?status=failed"))[0].error.code
    : undefined;
  expect(named(await get(code ? `/executions?error=${code}` : path))).toEqual(wanted);
});

test("finds runs by who started them, id, workflow, space and parent", async () => {
  expect(named(await get(`/executions?startedBy=${leaver.userId}`))).toEqual(["other"]);
  expect(named(await get(`/executions?q=${runs.bad!.toUpperCase().slice(0, 30)}`))).toContain("bad");
  expect(named(await get(`/executions?q=${runs.bad}`))).toEqual(["bad"]);
  expect(named(await get(`/executions?workflowId=${workflows.other}`))).toEqual(["other"]);
  expect(named(await get(`/executions?spaceId=${second.split("/").at(-1)}`))).toEqual(["other"]);
  expect(await get(`/executions?spaceId=${uuid()}`)).toEqual([]);
  expect(await get(`/executions?parentId=${runs.good}`)).toEqual([]);
  const parent = await newWorkflow(api, first, definition([node("s", "subworkflow", { workflowId: workflows.good })]));
  const { id } = await made(`${first}/executions`, { workflowId: parent });
  const children = await get(`/executions?parentId=${id}`);
  expect(children).toMatchObject([{ workflowName: "The good one", parent: { executionId: id } }]);
  expect((await api.delete(`${first}/workflows/${parent}`)).status).toBe(204);
});

test.each([[""], ["&status=completed,failed,suspended"], ["&q=the"], ["&minMs=0"]])(
  "continues pages where the previous one ended%s",
  async query => {
    const whole = ids(await get(`/executions?limit=200${query}`));
    const found: string[] = [];
    for (let path: string | undefined = `${base}/executions?limit=1${query}`; path;) {
      const { body, headers } = await api.get(path);
      found.push(...ids(body as Json[]));
      path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(found).toEqual(whole);
    expect(found.length).toBeGreaterThan(2);
  },
);

test.each(["status=lost", "status=failed,", "minMs=-1", "startedBy=ada", "q=", "sort=up", "cursor=x"])(
  "rejects %s",
  async query => expectProblem(await api.get(`${base}/executions?${query}`), 400),
);

test("sums up the statistics of a workspace's spaces", async () => {
  const all = (await api.get(`${base}/executions/stats`)).body;
  const each = await Promise.all([first, second].map(async space => (await api.get(`${space}/executions/stats`)).body));
  expect(all.total).toBe(each[0].total + each[1].total);
  expect(all.byStatus.completed).toBe(each[0].byStatus.completed + each[1].byStatus.completed);
  expect(all.byStatus).toMatchObject({ failed: 1, suspended: 1 });
  const found = new Map((all.workflows as Json[]).map(one => [one.workflowId, one.byStatus]));
  expect(found.get(workflows.bad)).toMatchObject({ failed: 1 });
  expect(found.get(workflows.other)).toMatchObject({ completed: 1 });
});

test("lists workflows without definitions, last changed first", async () => {
  const all = await get("/workflows");
  expect(all.map(({ name }) => name)).toEqual(["The other one", "The asks one", "The bad one", "The good one"]);
  expect(all[0]).toMatchObject({ steps: 2, createdByName: owner.email });
  expect(all[0]).not.toHaveProperty("definition");
  expect((await api.patch(`${first}/workflows/${workflows.good}`, { description: "Threads" })).status).toBe(200);
  expect((await get("/workflows?limit=1"))[0].id).toBe(workflows.good);
  expect((await get("/workflows?sort=-createdAt&limit=1"))[0].id).toBe(workflows.other);
  expect(ids(await get("/workflows?q=THREAD"))).toEqual([workflows.good]);
  expect(ids(await get(`/workflows?spaceId=${second.split("/").at(-1)}`))).toEqual([workflows.other]);
  expect(await get("/workflows?trashed=true")).toEqual([]);
  const { id: me } = (await api.get("/v1/auth/me")).body;
  expect(ids(await get(`/workflows?editedBy=${me as string}`))[0]).toBe(workflows.good);
  expect(await get(`/workflows?editedBy=${workflows.good}`)).toEqual([]);
  expect((await get("/workflows?sort=-updatedAt&fields=summary&limit=1"))[0].id).toBe(workflows.good);
  const changed = (await api.get(`${first}/workflows?sort=-updatedAt&limit=1`)).body as Json[];
  expect(ids(changed)).toEqual([workflows.good]);
  const brief = (await api.get(`${first}/workflows?fields=summary`)).body as Json[];
  expect(brief.map(({ definition }) => definition)).toEqual([null, null, null]);
  const versions = (await api.get(`${first}/workflows/${workflows.good}/versions?fields=summary`)).body as Json[];
  expect(versions.map(({ definition }) => definition)).toEqual([null, null, null]);
});

test("lists schedules and webhooks of all spaces with names, and by workflow", async () => {
  for (const [space, workflowId] of [
    [first, workflows.good],
    [second, workflows.other],
  ]) {
    await made(`${space}/schedules`, { workflowId, cronExpr: "0 0 1 1 *" });
    await made(`${space}/webhooks`, { workflowId });
  }
  for (const list of ["schedules", "webhooks"]) {
    const all = await get(`/${list}`);
    expect(all.map(one => [one.workflowName, one.createdByName])).toEqual([
      ["The other one", owner.email],
      ["The good one", owner.email],
    ]);
    expect((await get(`/${list}?workflowId=${workflows.good}`)).map(one => one.workflowId)).toEqual([workflows.good]);
    expect((await get(`/${list}?limit=1`)).length).toBe(1);
    const { body } = await api.get(`${first}/${list}?workflowId=${workflows.other}`);
    expect(body).toEqual([]);
  }
  expect((await get("/schedules"))[0].restingReason).toBeNull();
});

test("names who acted in the audit log", async () => {
  const [entry] = await get("/audit?limit=1");
  expect(entry).toMatchObject({ actorName: owner.email });
});
