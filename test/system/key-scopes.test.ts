import { type Api, type Json, newWorkflow, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { openStream } from "../support/event-stream.ts";
import { untilEvent } from "../support/follow.ts";
import { answerOf, mcpClient } from "../support/mcp-client.ts";
import { expectProblem } from "../support/problem.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";

let owner: Awaited<ReturnType<typeof register>>;
let base: string;
let space: string;
let workflowId: string;
let otherId: string;

const ASKS = definition([node("ask", "human", { prompt: "?" })]);

async function newKey(fields: object): Promise<{ api: Api; id: string; key: string }> {
  const { status, body } = await owner.post(`${base}/api-keys`, { name: "Key", role: "admin", ...fields });
  expect(status).toBe(201);
  return { api: owner.as(body.key as string), id: body.id as string, key: body.key as string };
}

beforeAll(async () => {
  const server = await sharedServer();
  owner = await register(server.url);
  const workspaceId = (await owner.post("/v1/workspaces", { name: "Scopes" })).body.id as string;
  base = `/v1/workspaces/${workspaceId}`;
  space = `${base}/spaces/${workspaceId}`;
  workflowId = await newWorkflow(owner, space, ASKS);
  otherId = await newWorkflow(owner, space, ASKS);
});

it("allows a key with the scope for one workflow to run it and nothing else", async () => {
  const { api } = await newKey({ scopes: [`run:${workflowId}`] });
  const started = await api.post(`${space}/executions`, { workflowId });
  expect(started.status).toBe(201);
  const refused = [
    await api.post(`${space}/executions`, { workflowId: otherId }),
    await api.get(`${space}/executions/${started.body.id as string}`),
    await api.get(`${space}/workflows`),
    await api.delete(`${space}/workflows/${workflowId}`),
    await api.post(`${base}/api-keys`, { name: "More" }),
    await api.delete(`${space}/executions/${started.body.id as string}`),
    await api.get("/v1/workspaces"),
  ];
  for (const answer of refused) expectProblem(answer, 403, "scope_missing");
  expect((await owner.get(`${space}/workflows/${workflowId}`)).status).toBe(200);
});

it("allows a key with the scope read to read what its role may and to follow runs, but no change", async () => {
  const { api, key } = await newKey({ scopes: ["read"], role: "viewer" });
  const run = await owner.post(`${space}/executions`, { workflowId });
  const path = `${space}/executions/${run.body.id as string}`;
  for (const readable of [path, `${space}/workflows`, "/v1/workspaces", `${base}/members`, `${base}/usage`])
    expect((await api.get(readable)).status).toBe(200);
  expect((await api.post(`${base}/memories/search`, { query: "tea" })).status).toBe(200);
  expectProblem(await api.get(`${base}/audit`), 403, "role_too_low");
  const stream = await openStream(`${owner.url}${path}/events`, { token: key });
  expect((await stream.next())?.event).toBe("execution.started");
  stream.leave();
  expectProblem(await api.post(`${space}/executions`, { workflowId }), 403, "scope_missing");
  expectProblem(await api.patch(`${path}/approve`), 403, "scope_missing");
  expectProblem(await api.patch(base, { name: "Renamed" }), 403, "scope_missing");
});

it("allows a key with the scope approve only to answer questions", async () => {
  const { api } = await newKey({ scopes: ["approve"], role: "editor" });
  const run = await owner.post(`${space}/executions`, { workflowId });
  const path = `${space}/executions/${run.body.id as string}`;
  await untilEvent(owner, path, "execution.suspended");
  expectProblem(await api.get(path), 403, "scope_missing");
  expect((await api.patch(`${path}/approve`)).status).toBe(200);
});

it("allows a key with the scope signal to send signals in its workspace without another role", async () => {
  const signals = `${base}/signals`;
  const { api } = await newKey({ scopes: ["signal"], role: "viewer" });
  expect(await api.post(signals, { name: "paid" })).toMatchObject({ status: 200, body: { delivered: 0, kept: true } });
  for (const answer of [
    await api.get(`${space}/workflows`),
    await api.post(`${space}/executions`, { workflowId }),
    await api.post(`${space}/workflows`, { name: "Mine" }),
  ])
    expectProblem(answer, 403, "scope_missing");
  const elsewhere = (await (await register(owner.url)).post("/v1/workspaces", { name: "Other" })).body.id as string;
  expectProblem(await api.post(`/v1/workspaces/${elsewhere}/signals`, { name: "paid" }), 404, "not_found");
  for (const scopes of [["approve"], ["read"], [`run:${workflowId}`]]) {
    const other = await newKey({ scopes, role: "editor" });
    expectProblem(await other.api.post(signals, { name: "paid" }), 403, "scope_missing");
  }
  const viewer = await newKey({ role: "viewer" });
  expectProblem(await viewer.api.post(signals, { name: "paid" }), 403, "role_too_low");
});

it("gives a key with the scope signal no more rights than its creator has", async () => {
  const guest = await register(owner.url);
  const { body: invite } = await owner.post(`${base}/invites`, { email: guest.email, role: "admin" });
  await guest.post("/v1/invites/accept", { token: invite.token });
  const { body } = await guest.post(`${base}/api-keys`, { name: "Key", role: "viewer", scopes: ["signal"] });
  const key = owner.as(body.key as string);
  expect((await key.post(`${base}/signals`, { name: "paid" })).status).toBe(200);
  expect((await owner.patch(`${base}/members/${guest.userId}`, { role: "viewer" })).status).toBe(200);
  expectProblem(await key.post(`${base}/signals`, { name: "paid" }), 403, "role_too_low");
});

it("applies the scopes to tools over MCP too", async () => {
  const { api } = await newKey({ scopes: ["read"] });
  const before = ((await owner.get(`${space}/executions?limit=200`)).body as unknown as unknown[]).length;
  const client = await mcpClient(`${owner.url}/mcp`, api.token ?? "");
  const run = { name: "run_workflow", arguments: { workflowId } };
  expect(answerOf(await client.callTool(run))).toMatchObject({ code: "scope_missing" });
  await client.close();
  expect((await owner.get(`${space}/executions?limit=200`)).body).toHaveLength(before);
});

it.each([
  [{ scopes: ["write"] }],
  [{ scopes: ["run:"] }],
  [{ scopes: ["run:*"] }],
  [{ scopes: Array<string>(51).fill("read") }],
  [{ scopes: "read" }],
  [{ addresses: ["everywhere"] }],
  [{ addresses: ["10.0.0.0/33"] }],
  [{ addresses: ["10.0.0.1/8; drop"] }],
])("rejects a key with %j", async fields => {
  expectProblem(await owner.post(`${base}/api-keys`, { name: "Key", ...fields }), 400, "validation_failed");
});

it("accepts a key with an address list only from those addresses", async () => {
  const here = await newKey({ addresses: ["192.0.2.7", "127.0.0.0/8", "::1"] });
  expect((await here.api.get(base)).status).toBe(200);
  const elsewhere = await newKey({ addresses: ["192.0.2.0/24", "2001:db8::/32"] });
  expectProblem(await elsewhere.api.get(base), 403, "address_not_allowed");
  const spoofed = await elsewhere.api.request("GET", base, undefined, { "x-forwarded-for": "192.0.2.1" });
  expectProblem(spoofed, 403, "address_not_allowed");
  const listed = (await owner.get(`${base}/api-keys`)).body as unknown as { id: string }[];
  expect(listed.find(({ id }) => id === elsewhere.id)).toMatchObject({ addresses: ["192.0.2.0/24", "2001:db8::/32"] });
});

it("accepts both values of a rotated key for a while, and lets one of two rotations succeed", async () => {
  const { api, id, key } = await newKey({ scopes: ["read"] });
  const rotated = await owner.post(`${base}/api-keys/${id}/rotate`, { overlapSeconds: 3_600 });
  expect(rotated).toMatchObject({ status: 200, body: { id, scopes: ["read"] } });
  expect(rotated.body.key).not.toBe(key);
  const next = owner.as(rotated.body.key as string);
  expect([(await api.get(base)).status, (await next.get(base)).status]).toEqual([200, 200]);
  expectProblem(await next.post(`${base}/api-keys/${id}/rotate`), 403, "scope_missing");
  const both = await Promise.all(
    [0, 0].map(overlapSeconds => owner.post(`${base}/api-keys/${id}/rotate`, { overlapSeconds })),
  );
  const [won] = both.filter(({ status }) => status === 200);
  for (const { status } of both) expect([200, 409]).toContain(status);
  expect((await api.get(base)).status).toBe(401);
  expect((await next.get(base)).status).toBe(401);
  if (both.filter(({ status }) => status === 200).length === 1)
    expect((await owner.as(won!.body.key as string).get(base)).status).toBe(200);
  const list = await owner.get(`${base}/api-keys`);
  expect(JSON.stringify(list.body)).not.toMatch(/formerHash|"hash"/);
  expect((await owner.delete(`${base}/api-keys/${id}`)).status).toBe(204);
  for (const { body } of both) expect((await owner.as(String(body.key)).get(base)).status).toBe(401);
});

it("does not let an admin rotate a key of a higher role", async () => {
  const guest = await register(owner.url);
  const { body } = await owner.post(`${base}/invites`, { email: guest.email, role: "admin" });
  await guest.post("/v1/invites/accept", { token: body.token });
  const { id } = await newKey({ role: "owner" });
  expectProblem(await guest.post(`${base}/api-keys/${id}/rotate`), 403, "role_too_low");
});

it("is named by the runs that a key starts or retries", async () => {
  const { api, id } = await newKey({ name: "Nightly import", role: "editor" });
  const passesOn = await newWorkflow(owner, space, null);
  const byKey = { startedBy: owner.userId, startedByKey: { id, name: "Nightly import" } };
  const { body: first } = await api.post(`${space}/executions`, { workflowId: passesOn }, { prefer: "wait=30" });
  expect(first).toMatchObject({ status: "completed", ...byKey });
  const retry = (by: Api) => by.post(`${space}/executions/${first.id as string}/retry`, { fromStart: true });
  expect((await retry(api)).body).toMatchObject(byKey);
  expect((await retry(owner)).body).not.toHaveProperty("startedByKey");
  const list = async (query = "") =>
    (await owner.get(`${base}/executions?workflowId=${passesOn}&sort=createdAt${query}`)).body as Json[];
  const listed = await list();
  expect(listed).toMatchObject([byKey, byKey, { startedBy: owner.userId }]);
  expect(listed[2]).not.toHaveProperty("startedByKey");
  expect(await list("&byKey=true")).toEqual(listed.slice(0, 2));
  expect(await list("&byKey=false")).toEqual(listed.slice(2));
  expect(await list("&trigger=manual&byKey=false")).toEqual([]);
});

it("is named by the runs of a bulk retry and of a schedule that a key starts", async () => {
  const { api, id } = await newKey({ name: "Repair", role: "editor" });
  const byKey = { startedBy: owner.userId, startedByKey: { id, name: "Repair" } };
  const fails = await newWorkflow(owner, space, definition([node("stop", "fail", { message: "No" })]));
  const { body: failed } = await owner.post(`${space}/executions`, { workflowId: fails }, { prefer: "wait=30" });
  expect(failed.status).toBe("failed");
  const { status } = await api.post(`${space}/executions/bulk`, { action: "retry", ids: [failed.id] });
  expect(status).toBe(202);
  let retries: Json[] = [];
  await until(async () => {
    retries = (await owner.get(`${base}/executions?workflowId=${fails}&trigger=retry`)).body as Json[];
    return retries.length > 0;
  });
  expect(retries).toMatchObject([byKey]);
  const passesOn = await newWorkflow(owner, space, null);
  const { body: schedule } = await owner.post(`${space}/schedules`, { workflowId: passesOn, cronExpr: "0 0 1 1 *" });
  const { body: run } = await api.post(`${space}/schedules/${schedule.id as string}/run`);
  expect(run).toMatchObject({ trigger: { type: "schedule" }, ...byKey });
});
