import type { AuditEntry } from "../../contracts/entities/audit-entry.ts";
import { type Answer, Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, read } from "../support/executions.ts";
import { addMembers } from "../support/members.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { everythingIn } from "../support/stored-bytes.ts";

const asks = definition([node("ask", "human", { prompt: "Well?" })]);
const replayed = (answer: Answer) => answer.headers.get("idempotent-replayed") === "true";
let keys = 0;
const newKey = () => ({ "idempotency-key": `key-${++keys}` });

/** A start that is answered late by its own wish, cut off by a kill, and sent again after the restart. */
async function killedWhileWaiting() {
  const first = await startServer();
  try {
    const { api, space } = await newWorkspace(first.url);
    const workflowId = await newWorkflow(api, space, asks);
    const key = newKey();
    const send = (to: Api, wait: string) => to.post(`${space}/executions`, { workflowId }, { prefer: wait, ...key });
    const cut = send(api, "wait=60").then(
      () => "answered",
      () => "cut off",
    );
    await eventually(async () => (await read(api, `${space}/executions`)).length === 1, "the first one is there");
    const workspace = space.slice(0, space.indexOf("/spaces/"));
    const pod = await api.post(`${workspace}/pods`, { name: "Pod" });
    await first.stop("SIGKILL");
    const second = await startServer({ dataDir: first.dataDir });
    try {
      const there = api.at(second.url);
      let again = await send(there, "wait=0");
      while (again.body.code === "idempotency_in_progress") {
        expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(0);
        again = await send(there, "wait=0");
      }
      const oncemore = await send(there, "wait=0");
      const executions = (await read(there, `${space}/executions`)) as Json[];
      const audit = (await read(there, `${workspace}/audit?action=pods.create`)) as AuditEntry[];
      return { cut: await cut, again, oncemore, executions, pod, audit };
    } finally {
      await second.stop("SIGKILL");
    }
  } finally {
    await removeServer(first);
  }
}

let server: Server;
let api: Api & { userId: string };
let base: string;
let space: string;
let workflowId: string;
let killed: ReturnType<typeof killedWhileWaiting>;
beforeAll(async () => {
  killed = killedWhileWaiting();
  killed.catch(() => undefined);
  server = await sharedServer();
  ({ api, space } = (await newWorkspace(server.url)) as { api: typeof api; space: string });
  base = space.slice(0, space.indexOf("/spaces/"));
  workflowId = await newWorkflow(api, space, asks);
});

const start = (input: unknown, headers: Record<string, string>) =>
  api.post(`${space}/executions`, { workflowId, input }, headers);
const executions = async () => (await read(api, `${space}/executions?limit=200`)) as Json[];

test("repeats the answer for a repeated request without running the action again", async () => {
  const key = newKey();
  const first = await start({ a: 1, b: [2] }, key);
  const before = (await executions()).length;
  const path = `${space}/executions/`;
  const again = await api.post(path, `{"input" : {"b":[2], "a":1}, "workflowId": "${workflowId}"}`, key);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect([replayed(first), replayed(again)]).toEqual([false, true]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("location")).toBe(first.headers.get("location"));
  expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(await executions()).toHaveLength(before);
});

test("runs a repeated request again without a key", async () => {
  const [one, two] = [await start(1, {}), await start(1, {})];
  expect(one.body.id).not.toBe(two.body.id);
  expect([one, two].map(replayed)).toEqual([false, false]);
});

test("rejects another body under the same key, and keeps the first answer", async () => {
  const key = newKey();
  const first = await start(1, key);
  expect(await start(2, key)).toMatchObject({ status: 409, body: { code: "idempotency_key_reused" } });
  expect((await start(1, key)).body.id).toBe(first.body.id);
});

test("applies a key only to its caller and path", async () => {
  const key = newKey();
  const first = await start(1, key);
  const other = await register(server.url);
  const workspaceId = base.split("/").at(-1)!;
  await addMembers(server.dataDir, [{ workspaceId, userId: other.userId, role: "editor" }]);
  const theirs = await other.post(`${space}/executions`, { workflowId, input: 1 }, key);
  expect(theirs.status).toBe(201);
  expect(theirs.body.id).not.toBe(first.body.id);
  const pod = await api.post(`${base}/pods`, { name: "Pod" }, key);
  expect([pod.status, replayed(pod)]).toEqual([201, false]);
  const made = await other.post(`${base}/pods`, { name: "Pod" }, key);
  expect(made.status).toBe(201);
  await api.delete(`${base}/members/${other.userId}`);
  expect(await other.post(`${base}/pods`, { name: "Pod" }, key)).toMatchObject({ status: 404 });
});

test("accepts a key of 1 to 255 visible characters, and ignores it where nothing is created", async () => {
  for (const key of ["", "two words", "k".repeat(256), "grüße"]) {
    const answer = await start(1, { "idempotency-key": Buffer.from(key).toString("latin1") });
    expect({ key, status: answer.status }).toEqual({ key, status: 400 });
    expect(answer.body).toMatchObject({ code: "validation_failed", errors: [{ path: "Idempotency-Key" }] });
  }
  expect((await start(1, { "idempotency-key": "~".repeat(255) })).status).toBe(201);
  const odd = { "idempotency-key": "two words" };
  expect((await api.patch(`${space}/workflows/${workflowId}`, { description: "x" }, odd)).status).toBe(200);
  expect((await api.post(`${space}/workflows/${workflowId}/validate`, {}, odd)).status).toBe(200);
});

test("performs one of twenty concurrent requests, and gives all of them its answer", async () => {
  const before = (await executions()).length;
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => start("race", key)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
  expect(answers.filter(answer => !replayed(answer))).toHaveLength(1);
  expect(await executions()).toHaveLength(before + 1);
});

test("frees the key of a request that was not performed, and keeps a rejection", async () => {
  const pods = `${base}/pods`;
  const key = newKey();
  expect((await api.post(pods, { nam: "Pod" }, key)).status).toBe(400);
  expect((await api.post(pods, { name: "" }, key)).status).toBe(400);
  const stranger = await register(server.url);
  expect((await stranger.post(pods, { name: "Pod" }, key)).status).toBe(404);
  expect((await api.post(pods, { name: "Pod" }, key)).status).toBe(201);

  const workspaceId = base.split("/").at(-1)!;
  await addMembers(server.dataDir, [{ workspaceId, userId: stranger.userId, role: "viewer" }]);
  expect((await stranger.post(pods, { name: "Pod" }, key)).status).toBe(403);
  await api.patch(`${base}/members/${stranger.userId}`, { role: "editor" });
  expect((await stranger.post(pods, { name: "Pod" }, key)).status).toBe(201);

  const slug = `taken-${process.pid}`;
  const taken = await api.post("/v1/workspaces", { name: "First", slug });
  const refused = newKey();
  const [one, two] = [0, 1].map(() => () => api.post("/v1/workspaces", { name: "Second", slug }, refused));
  expect(await one!()).toMatchObject({ status: 409, body: { code: "slug_taken" } });
  await api.delete(`/v1/workspaces/${taken.body.id}`);
  const again = await two!();
  expect(again).toMatchObject({ status: 409, body: { code: "slug_taken" } });
  expect(replayed(again)).toBe(true);
});

test("repeats answers with secrets, which are not readable in stored data", async () => {
  const nobody = new Api(server.url);
  const password = "hunter2 hunter2 hunter2";
  const person = { email: `kept-${process.pid}@example.com`, password };
  const key = { "idempotency-key": "a-key-that-is-not-kept-either" };
  const first = await nobody.post("/v1/auth/register", person, key);
  const again = await nobody.post("/v1/auth/register", person, key);
  expect([first.status, again.status, replayed(again)]).toEqual([201, 201, true]);
  expect(again.body).toEqual(first.body);
  expect(await nobody.post("/v1/auth/register", { ...person, password: `${password}!` }, key)).toMatchObject({
    status: 409,
    body: { code: "idempotency_key_reused" },
  });
  const secrets = [password, key["idempotency-key"], first.body.accessToken, first.body.refreshToken] as string[];
  const keyed = await api.post(`${base}/api-keys`, { name: "Key" }, newKey());
  expect(keyed.status).toBe(201);
  secrets.push(keyed.body.key as string);
  const data = [...(await everythingIn(server.dataDir)).values()];
  expect(data.some(bytes => bytes.includes(person.email))).toBe(true);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(data.filter(bytes => bytes.includes(secret))).toEqual([]);
  }
});

test("creates once if the process is killed before the answer, and does not lock the key", async () => {
  const { cut, again, oncemore, executions: all } = await killed;
  expect(cut).toBe("cut off");
  expect(all).toHaveLength(1);
  expect(again).toMatchObject({ status: 201, body: { id: all[0].id, status: "suspended" } });
  expect(replayed(again)).toBe(true);
  expect(oncemore.body).toEqual(again.body);
});

test("audits a change with its outcome if the process is killed right after the answer", async () => {
  const { pod, audit } = await killed;
  expect(audit).toMatchObject([{ resourceId: pod.body.id, outcome: "succeeded" }]);
});
