import { openStore } from "../../adapters/store/open-store.ts";
import type { AuditEntry } from "../../contracts/entities/audit-entry.ts";
import { auditEntries } from "../../services/audit/model.ts";
import { type Api, newWorkflow, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, read } from "../support/executions.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { storeAt } from "../support/real-servers.ts";

let server: Server;
let ada: Awaited<ReturnType<typeof register>>;
let bob: Awaited<ReturnType<typeof register>>;
let workspaceId: string;
let base: string;
let space: string;
beforeAll(async () => {
  server = await sharedServer();
  [ada, bob] = await Promise.all([register(server.url), register(server.url)]);
});
beforeEach(async () => {
  ({ id: workspaceId } = (await ada.post("/v1/workspaces", { name: "Acme" })).body as { id: string });
  base = `/v1/workspaces/${workspaceId}`;
  space = `${base}/spaces/${workspaceId}`;
});
const letBobIn = () => addMembers(server.dataDir, [{ workspaceId, userId: bob.userId, role: "viewer" }]);

const entries = async (query = "", by: Api = ada) =>
  (await read(by, `${base}/audit?limit=200${query}`)) as AuditEntry[];
/** Oldest first. */
const walk = async (query = "") =>
  (await entries(query)).reverse().map(({ action, outcome, error }) => [action, error ?? outcome].join(" "));

test("lists changes in a workspace, newest first, and no reads", async () => {
  await letBobIn();
  const made = async (path: string, body: object) => (await ada.post(path, body)).body.id as string;
  const podId = await made(`${base}/pods`, { name: "Pod" });
  const id = await newWorkflow(ada, space, definition([node("ask", "human", { prompt: "Well?" })]));
  const workflow = `${space}/workflows/${id}`;
  await ada.patch(workflow, { name: "Renamed", description: "very private words" }, { "x-request-id": "the-rename" });
  await ada.post(`${workflow}/validate`);
  await ada.post(`${workflow}/deploy`);
  const execution = `${space}/executions/${await made(`${space}/executions`, { workflowId: id })}`;
  await ada.get(execution);
  await ada.delete(execution);
  await ada.delete(execution);
  await ada.patch(`${base}/members/${bob.userId}`, { role: "admin" });
  await bob.delete(`${base}/pods/${podId}`);
  await ada.delete(`${base}/members/${bob.userId}`);

  expect(await walk()).toEqual([
    "workspaces.create succeeded",
    "pods.create succeeded",
    "workflows.create succeeded",
    "workflows.update succeeded",
    "workflows.deploy succeeded",
    "executions.cancel succeeded",
    "executions.cancel execution_finished",
    "workspaces.updateMember succeeded",
    "pods.remove succeeded",
    "workspaces.removeMember succeeded",
  ]);
  const all = await entries();
  const rename = all.find(({ action }) => action === "workflows.update")!;
  expect(rename).toEqual({
    id: expect.any(String) as string,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as string,
    workspaceId,
    actor: { kind: "user", id: ada.userId, userId: ada.userId },
    actorName: expect.any(String) as string,
    action: "workflows.update",
    resourceType: "workflow",
    resourceId: id,
    spaceId: workspaceId,
    fields: ["name", "description"],
    requestId: "the-rename",
    address: "127.0.0.1",
    outcome: "succeeded",
    error: null,
  });
  expect(Math.abs(Date.parse(rename.at) - Date.now())).toBeLessThan(60_000);
  const resources = Object.fromEntries(all.map(entry => [entry.action, [entry.resourceType, entry.resourceId]]));
  expect(resources).toMatchObject({
    "workspaces.create": ["workspace", workspaceId],
    "pods.create": ["pod", podId],
    "workflows.create": ["workflow", id],
    "workspaces.updateMember": ["member", bob.userId],
  });
  expect(JSON.stringify(all)).not.toMatch(/private words|Renamed|Pod"/);
});

test("lists rejected actions of members, and no attempts of other people", async () => {
  await letBobIn();
  const stranger = await register(server.url);
  const workflowId = await newWorkflow(ada, space, null);
  expect((await bob.post(`${base}/pods`, { name: "Pod" })).status).toBe(403);
  expect((await bob.post(`${space}/executions`, { workflowId })).status).toBe(403);
  expect((await bob.delete(`${base}/members/${ada.userId}`)).status).toBe(403);
  expect((await stranger.post(`${base}/pods`, { name: "Pod" })).status).toBe(404);
  expect((await ada.post(`${base}/pods`, { name: "" })).status).toBe(400);
  expect(await walk(`&actorId=${bob.userId}`)).toEqual([
    "pods.create role_too_low",
    "executions.start role_too_low",
    "workspaces.removeMember role_too_low",
  ]);
  const all = await entries();
  expect(all.filter(({ outcome }) => outcome === "denied")).toHaveLength(3);
  expect(all.find(({ resourceType }) => resourceType === "member")?.resourceId).toBe(ada.userId);
  expect(await walk()).toHaveLength(5);
  expect(JSON.stringify(all)).not.toContain(stranger.userId);
});

test("an API key acts under its own name, in the name of its creator", async () => {
  const { body } = await ada.post(`${base}/api-keys`, { name: "Deploys", role: "editor" });
  const key = ada.as(body.key as string);
  expect((await key.post(`${base}/pods`, { name: "Pod" })).status).toBe(201);
  const [pod] = await entries(`&actorId=${body.id}`);
  expect(pod).toMatchObject({ actor: { kind: "apiKey", id: body.id, userId: ada.userId }, action: "pods.create" });
  const [created] = await entries("&resourceType=api-key");
  expect(created).toMatchObject({ resourceId: body.id, fields: expect.arrayContaining(["name", "role"]) as string[] });
  expect(JSON.stringify(await entries())).not.toContain(body.key);
});

test("adds no second entry for a replayed answer", async () => {
  for (let i = 0; i < 3; i++) await ada.post(`${base}/pods`, { name: "Pod" }, { "idempotency-key": "once" });
  expect(await walk("&action=pods.create")).toHaveLength(1);
});

test("is readable by admins of the workspace only, and no request can change it", async () => {
  await letBobIn();
  const stranger = await register(server.url);
  expect((await bob.get(`${base}/audit`)).status).toBe(403);
  expect((await stranger.get(`${base}/audit`)).status).toBe(404);
  const [entry] = await entries();
  for (const method of ["PATCH", "DELETE", "POST"]) {
    const statuses = [`${base}/audit`, `${base}/audit/${entry!.id}`].map(path => ada.request(method, path));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([405, 404]);
  }
  expect(await entries()).toEqual([entry]);
});

test("can be filtered and paged", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await ada.post(`${base}/pods`, { name: "Pod" })).body.id as string);
  await ada.patch(`${base}/pods/${ids[2]}`, { name: "Renamed" });
  expect(await walk(`&resourceType=pod&resourceId=${ids[2]}`)).toEqual([
    "pods.create succeeded",
    "pods.update succeeded",
  ]);
  expect(await walk("&action=pods.update")).toHaveLength(1);
  expect(await walk("&action=pods.upd")).toEqual([]);

  const all = await entries();
  const [newest, oldest] = [all[0]!, all.at(-1)!];
  const at = (time: string, ms = 0) => new Date(Date.parse(time) + ms).toISOString();
  expect(await entries(`&from=${at(oldest.at)}&to=${at(newest.at, 1)}`)).toEqual(all);
  expect(await entries(`&to=${at(oldest.at)}`)).toEqual([]);
  expect(await entries(`&from=${at(newest.at, 1)}`)).toEqual([]);
  const late = all.filter(entry => entry.at >= all[2]!.at);
  expect(await entries(`&from=${all[2]!.at}`)).toEqual(late);
  const elsewhere = new Date(Date.parse(all[2]!.at) + 2 * 3_600_000).toISOString().replace("Z", "%2B02:00");
  expect(await entries(`&from=${elsewhere}`)).toEqual(late);
  for (const wrong of ["from=yesterday", "actorId=me", "who=me"]) {
    expect((await ada.get(`${base}/audit?${wrong}`)).status).toBe(400);
  }

  const paged: AuditEntry[] = [];
  for (let path: string | undefined = `${base}/audit?limit=2`; path;) {
    const { body, headers } = await ada.get(path);
    paged.push(...(body as AuditEntry[]));
    path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(paged).toEqual(all);
});

test("deleting a workspace removes its log", async () => {
  await ada.post(`${base}/pods`, { name: "Pod" });
  await ada.delete(base);
  const store = await openStore({ ...storeAt(server.dataDir), collections: [auditEntries] });
  const left = () => store.tenant(auditEntries, workspaceId).count({});
  await eventually(async () => (await left()) === 0, "the entries are purged").finally(() => store.close());
});
