import { v7 as uuid } from "uuid";
import { Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Awaited<ReturnType<typeof register>>;
let base: string;
let space: string;
beforeEach(async () => {
  server = await sharedServer();
  const place = await newWorkspace(server.url);
  ({ api, space } = place);
  base = `/v1/workspaces/${place.workspaceId}`;
});

async function asking(what: object): Promise<{ workflowId: string; run: string; id: string }> {
  const workflowId = await newWorkflow(api, space, what);
  const { body } = await api.post(`${space}/executions`, { workflowId });
  const run = `${space}/executions/${body.id}`;
  await untilEvent(api, run, "execution.suspended");
  return { workflowId, run, id: body.id };
}
const questions = async (query = "", as: Api = api): Promise<Json[]> => {
  const { status, body } = await as.get(`${base}/questions${query}`);
  expect(status).toBe(200);
  return body as Json[];
};

test("lists open questions with their run and step, and a child's question under the child only", async () => {
  const form = { type: "object", properties: { note: { type: "string" } } };
  const asks = node("ask", "human", { prompt: "Release it?", form, assignees: [api.userId] }, { name: "Approval" });
  const { workflowId, run, id } = await asking(definition([asks]));
  const [asked, ...none] = await questions();
  expect(none).toEqual([]);
  expect(asked).toMatchObject({
    ...{ executionId: id, workflowId, workflowName: "A workflow", nodeId: "ask", nodeName: "Approval" },
    ...{ prompt: "Release it?", form, mine: true, expiresAt: null, trigger: { type: "manual" } },
    ...{ startedBy: api.userId, startedByName: api.email, askedAt: expect.any(String) },
  });
  const parent = await asking(definition([node("sub", "subworkflow", { workflowId })]));
  const below = await questions(`?workflowId=${workflowId}&limit=200`);
  expect(below.map(({ parent }) => parent?.executionId)).toEqual([parent.id, undefined]);
  expect(await questions(`?workflowId=${parent.workflowId}`)).toEqual([]);
  expect((await api.patch(`${run}/respond`, { approved: true, data: { note: "Yes" } })).status).toBe(200);
  await untilEnd(api, run);
  expect((await questions()).map(({ executionId }) => executionId)).toEqual([below[0].executionId]);
});

test("gives each of several questions of a run, and of its items, its own place", async () => {
  const each = node("each", "map", { items: ["a", "b"], concurrency: 2 });
  const asks = { ...node("ask", "human", { prompt: "{{ item }}?" }), parentId: "each" };
  await asking(definition([each, asks, node("other", "human", { prompt: "Else?" })]));
  const places = (await questions()).map(({ prompt, path }) => [prompt, path?.[0].index]);
  expect(places.toSorted()).toEqual([
    ["Else?", undefined],
    ["a?", 0],
    ["b?", 1],
  ]);
  expect((await api.get(`${base}/summary`)).body.questions).toEqual({ open: 3 });
});

test("filters questions by the people that they name", async () => {
  const viewer = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId: base.split("/").at(-1)!, userId: viewer.userId, role: "viewer" }]);
  const mine = await asking(definition([node("ask", "human", { prompt: "?", assignees: [viewer.userId] })]));
  const free = await asking(definition([node("ask", "human", { prompt: "?" })]));
  const ids = async (query: string) => (await questions(query, viewer)).map(({ executionId }) => executionId as string);
  expect(await ids("?mine=true")).toEqual([mine.id]);
  expect(await ids("?mine=false")).toEqual([free.id]);
  expect(await ids("")).toEqual([free.id, mine.id]);
  expect(await questions("?mine=true")).toEqual([]);
  const { headers } = await viewer.get(`${base}/questions?limit=1`);
  const next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  expect((await viewer.get(next!)).body).toMatchObject([{ executionId: mine.id }]);
  expectProblem(await viewer.get(`${base}/questions?cursor=x`), 400, "invalid_cursor");
});

test("lets a viewer answer only questions that name them, also those of a subworkflow", async () => {
  const [viewer, other] = [await register(server.url), await register(server.url)];
  const workspaceId = base.split("/").at(-1)!;
  const members = [viewer, other].map(({ userId }) => ({ workspaceId, userId, role: "viewer" as const }));
  await addMembers(server.dataDir, members);
  const asks = definition([node("ask", "human", { prompt: "?", assignees: [viewer.userId] })]);
  const mine = await asking(asks);
  const free = await asking(definition([node("ask", "human", { prompt: "?" })]));
  expectProblem(await viewer.patch(`${free.run}/respond`, { approved: true }), 403, "role_too_low");
  for (const verb of ["respond", "approve"])
    expectProblem(await other.patch(`${mine.run}/${verb}`, {}), 403, "role_too_low");
  const key = await api.post(`${base}/api-keys`, { name: "Key", role: "viewer" });
  const withKey = new Api(server.url, key.body.key as string);
  expectProblem(await withKey.patch(`${mine.run}/respond`, {}), 403, "role_too_low");
  expect((await viewer.patch(`${mine.run}/respond`, { approved: true })).status).toBe(200);
  await untilEnd(api, mine.run);
  const parent = await asking(definition([node("sub", "subworkflow", { workflowId: mine.workflowId })]));
  expectProblem(await other.patch(`${parent.run}/respond`, {}), 403, "role_too_low");
  expect((await viewer.patch(`${parent.run}/respond`, {})).status).toBe(200);
  await untilEnd(api, parent.run);
});

test("finds an execution for a member without its space, and not for other people", async () => {
  const { run, id } = await asking(definition([node("ask", "human", { prompt: "?" })]));
  const { status, body } = await api.get(`${base}/executions/${id}`);
  expect([status, body]).toEqual([200, (await api.get(run)).body]);
  expectProblem(await api.get(`${base}/executions/${uuid()}`), 404, "not_found");
  const other = await newWorkspace(server.url);
  expectProblem(await other.api.get(`/v1/workspaces/${other.workspaceId}/executions/${id}`), 404, "not_found");
});

test("finds a workspace by its slug for its members", async () => {
  const { body: workspace } = await api.get(base);
  expect((await api.get(`/v1/workspaces/by-slug/${workspace.slug}`)).body).toEqual(workspace);
  const stranger = await register(server.url);
  for (const slug of [workspace.slug, "there-is-none", "%20", "A".repeat(100)])
    expectProblem(await stranger.get(`/v1/workspaces/by-slug/${slug}`), 404, "not_found");
});

test("counts the content of a workspace in its summary", async () => {
  const id = await newWorkflow(api, space, definition([gives("a", 1)]));
  await api.post(`${space}/executions`, { workflowId: id }, { prefer: "wait=30" });
  const gone = await newWorkflow(api, space, definition([gives("a", 1)]));
  await api.patch(`${space}/workflows/${gone}/trash`);
  await asking(definition([node("ask", "human", { prompt: "?" })]));
  const { body } = await api.get(`${base}/summary`);
  expect(body).toEqual({
    workflows: { active: 2, trashed: 1 },
    executions: {
      since: expect.any(String),
      byStatus: { pending: 0, running: 0, suspended: 1, completed: 1, failed: 0, cancelled: 0 },
    },
    questions: { open: 1 },
    unread: expect.any(Number),
    mcpServers: { total: 0, byStatus: { unknown: 0, connected: 0, error: 0 } },
  });
});
