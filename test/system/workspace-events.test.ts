import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { openStream } from "../support/event-stream.ts";
import { EventStream, type StreamEvent } from "../support/events.ts";
import { eventually } from "../support/executions.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let base: string;
let space: string;
beforeEach(async () => {
  server = await sharedServer();
  const place = await newWorkspace(server.url);
  ({ api, space } = place);
  base = `/v1/workspaces/${place.workspaceId}`;
});
const streams: EventStream[] = [];
afterEach(() => streams.splice(0).forEach(stream => stream.close()));

async function follow(lastEventId?: number, query = ""): Promise<EventStream> {
  const stream = await EventStream.open(api, base, lastEventId, query);
  streams.push(stream);
  expect(stream.status).toBe(200);
  return stream;
}

async function until(stream: EventStream, event: string, holds: (data: Json) => boolean = () => true) {
  for (;;) {
    const next = await stream.until(event);
    if (holds(next.data)) return next;
  }
}

test("follows the runs of a workspace with their names, from start to end", async () => {
  const stream = await follow();
  expect(await stream.next()).toMatchObject({ event: "ready" });
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
  expect((await stream.until("workflow.saved")).data).toMatchObject({ id: workflowId, status: "active", version: 1 });
  const { body } = await api.post(`${space}/executions`, { workflowId });
  const { data } = await until(stream, "execution.changed", ({ status }) => status === "completed");
  expect(data).toMatchObject({ id: body.id, workflowName: "A workflow", startedByName: expect.any(String) });
  expect(data).not.toHaveProperty("output");
  const ids = stream.events.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(ids.length);
});

test("reports when questions open and close, also by a cancel", async () => {
  const stream = await follow();
  const workflowId = await newWorkflow(api, space, definition([node("ask", "human", { prompt: "Well?" })]));
  for (const close of [
    (run: string) => api.patch(`${run}/respond`, { approved: true }),
    (run: string) => api.delete(run),
  ]) {
    const { body } = await api.post(`${space}/executions`, { workflowId });
    const opened = await stream.until("question.opened");
    expect(opened.data).toMatchObject({ executionId: body.id, workflowId, workflowName: "A workflow", open: 1 });
    expect((await close(`${space}/executions/${body.id}`)).status).toBeLessThan(300);
    expect((await stream.until("question.closed")).data).toMatchObject({ executionId: body.id, open: 0 });
  }
});

test("follows workflows through deployment, trash and deletion", async () => {
  const id = await newWorkflow(api, space, definition([gives("a", 1)]));
  const stream = await follow();
  await stream.next();
  const path = `${space}/workflows/${id}`;
  await api.patch(path, { name: "Renamed" });
  await api.post(`${path}/deploy`);
  await api.patch(`${path}/trash`);
  await api.patch(`${path}/restore`);
  await api.delete(path);
  await until(stream, "workflow.trashed", ({ status }) => status === "deleted");
  expect(stream.events.slice(1).map(({ event, data }) => [event, data.name, data.status])).toEqual([
    ["workflow.saved", "Renamed", "active"],
    ["workflow.deployed", "Renamed", "active"],
    ["workflow.trashed", "Renamed", "trashed"],
    ["workflow.saved", "Renamed", "active"],
    ["workflow.trashed", undefined, "deleted"],
  ]);
});

test("follows imports and tool servers", async () => {
  const stream = await follow();
  await stream.next();
  const { body: made } = await api.post(`${base}/knowledge-bases`, { name: "Base" });
  await api.post(`${base}/knowledge-bases/${made.id}/entries/import`, { name: "a.txt", content: "Warp and weft." });
  const { data } = await until(stream, "import.progress", ({ status }) => status === "completed");
  expect(data).toMatchObject({ knowledgeBaseId: made.id, entriesDone: 1 });
  const { body } = await api.post(`${base}/mcp-servers`, { name: "Tools", url: "http://127.0.0.1:1/mcp" });
  expect((await stream.until("mcp.changed")).data).toMatchObject({ id: body.id, status: "unknown" });
  expect((await until(stream, "mcp.changed", one => one.status === "error")).data.lastError).toEqual(
    expect.any(String),
  );
  expect((await api.delete(`${base}/mcp-servers/${body.id}`)).status).toBe(204);
  await until(stream, "mcp.changed", ({ status }) => status === "deleted");
});

test("lets a client continue without a gap, or says that it cannot", async () => {
  const workflowId = await newWorkflow(api, space, definition([gives("a", 1)]));
  const first = await follow();
  const start = (await first.next())!;
  await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
  await until(first, "execution.changed", ({ status }) => status === "completed");
  const seen = first.events.slice(1);
  first.close();
  const path = `${space}/workflows/${workflowId}`;
  await api.patch(path, { name: "While away" });

  const from = (id: number, count: number) => follow(id).then(stream => take(stream, count));
  const wanted = [...seen.map(({ id }) => id)];
  const again = await from(start.id, seen.length + 1);
  expect(again.map(({ id }) => id).slice(0, -1)).toEqual(wanted);
  expect(again.at(-1)).toMatchObject({ event: "workflow.saved", data: { name: "While away" } });
  expect(await from(wanted.at(-1)!, 1)).toMatchObject([{ event: "workflow.saved" }]);
  for (const id of [1, start.id - 60_000_000, 999_999_999_999_999])
    expect(await from(id, 1)).toMatchObject([{ event: "reset" }]);
});

async function take(stream: EventStream, count: number): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  while (found.length < count) found.push((await stream.next())!);
  return found;
}

test("leaves out events by a filter, and validates it", async () => {
  const stream = await follow(undefined, "?only=workflow.deployed,question.opened");
  expect(await stream.next()).toMatchObject({ event: "ready" });
  const id = await newWorkflow(api, space, definition([gives("a", 1)]));
  await api.post(`${space}/workflows/${id}/deploy`);
  expect(await stream.next()).toMatchObject({ event: "workflow.deployed", data: { id, deployedVersion: 1 } });
  for (const query of ["?only=workflow.gone", "?only=", "?other=1"])
    expectProblem(await api.get(`${base}/events${query}`), 400, "validation_failed");
});

test("shows a member nothing of another workspace, and nothing after leaving", async () => {
  const viewer = await register(server.url);
  const workspaceId = base.split("/").at(-1)!;
  await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
  const other = await newWorkspace(server.url);
  const stream = await openStream(`${server.url}${base}/events`, { token: viewer.token });
  expect(await stream.next()).toMatchObject({ event: "ready" });
  await newWorkflow(other.api, other.space, definition([gives("a", 1)]));
  const mine = await newWorkflow(api, space, definition([gives("a", 1)]));
  expect(JSON.parse((await stream.next())!.data)).toMatchObject({ id: mine });
  expect((await api.delete(`${base}/members/${viewer.userId}`)).status).toBe(204);
  let ended = false;
  void stream.rest().then(() => (ended = true));
  await eventually(() => Promise.resolve(ended), "the stream of a former member ends");
  expectProblem(await viewer.get(`${base}/events`), 404, "not_found");
});
