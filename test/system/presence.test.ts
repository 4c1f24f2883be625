import { type Api, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { EventStream } from "../support/events.ts";
import { addMembers } from "../support/members.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let other: Awaited<ReturnType<typeof register>>;
let base: string;
let workflowId: string;
let path: string;
beforeAll(async () => {
  const server = await sharedServer();
  const made = await newWorkspace(server.url);
  ({ api } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
  other = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId: made.workspaceId, userId: other.userId, role: "viewer" }]);
  workflowId = await newWorkflow(api, made.space, definition([gives("a", 1)]));
  path = `${made.space}/workflows/${workflowId}/presence`;
});

test("tells members who has a workflow open, as long as that person reports it", async () => {
  const stream = await EventStream.open(api, base, undefined, "?only=workflow.presence");
  await stream.next();
  expect((await api.get(path)).body).toMatchObject({ workflowId, present: [] });
  const first = await api.post(path, { editing: true, nodeId: "a" });
  expect(first).toMatchObject({ status: 200, body: { present: [{ editing: true, nodeId: "a" }] } });
  const [{ since, until }] = first.body.present as [{ since: string; until: string }];
  expect(Date.parse(until) - Date.parse(since)).toBe(30_000);
  await other.post(path, {});
  const told = await stream.until("workflow.presence");
  expect(told.data).toMatchObject({ workflowId });
  const { body } = await other.get(path);
  expect(body.present).toMatchObject([
    { editing: true, since },
    { userId: other.userId, name: expect.any(String), editing: false, nodeId: null },
  ]);
  // A second report is not a second person, and keeps the time of the first.
  await api.post(path, { editing: false });
  expect((await other.get(path)).body.present).toMatchObject([{ editing: false, nodeId: null, since }, {}]);
  expect((await other.delete(path)).body.present).toHaveLength(1);
  stream.close();
});

test("leaves presence out of the audit log", async () => {
  const { body } = await api.get(`${base}/audit?limit=200`);
  expect((body as { action: string }[]).filter(({ action }) => action.includes("presence"))).toEqual([]);
});

test.each([{ nodeId: "" }, { editing: "yes" }, { unknown: 1 }])("rejects the report %j", async body => {
  expect((await api.post(path, body)).status).toBe(400);
});
