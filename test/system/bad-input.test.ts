import { v7 as uuid } from "uuid";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { gives, definition } from "../support/definition.ts";
import { expectProblem, faultsOf } from "../support/problem.ts";
import { Prober } from "../support/prober.ts";
import { rawConnection, type RawConnection } from "../support/raw-http.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
let workflow: string;
let run: string;
let prober: Prober;
/** Clients that never come to an end, for as long as the tests take. */
const slow: RawConnection[] = [];
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
  const workflowId = await newWorkflow(api, space, definition([gives("t", 1)]));
  workflow = `${space}/workflows/${workflowId}`;
  const { body } = await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
  run = `${space}/executions/${body.id}`;
  const head = `POST ${space}/executions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\n`;
  for (let i = 0; i < 20; i++) {
    const inHeaders = rawConnection(port());
    inHeaders.socket.write(`${head}X-Never: `);
    const inBody = rawConnection(port());
    inBody.socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"workflowId":`);
    const inChunks = rawConnection(port());
    inChunks.socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
    slow.push(inHeaders, inBody, inChunks);
  }
  prober = new Prober((await newWorkspace(server.url)).api);
});
afterAll(async () => {
  for (const { socket } of slow) socket.destroy();
  await prober.stop();
});

const port = () => Number(new URL(server.url).port);

describe("a body", () => {
  it.each([
    "{",
    '{"name":"x",}',
    "{'name':'x'}",
    '{"name":"x"}{"name":"y"}',
    '{"name":NaN}',
    '{"name":"x","definition":Infinity}',
    '{"name":"x","definition":-Infinity}',
    '{"name":"x","definition":0x10}',
    '{"name":"x","definition":"\u0000"}',
    "undefined",
    "<name>x</name>",
  ])("is rejected if it is not JSON: %s", async text =>
    expectProblem(await api.post(`${space}/workflows`, text), 400, "malformed_json"),
  );

  it.each(["null", "5", '"text"', "[]", '[{"name":"x"}]', "true"])(
    "is rejected if it is not an object: %s",
    async text => expectProblem(await api.post(`${space}/workflows`, text), 400, "validation_failed"),
  );

  it.each([
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
  ])("is rejected with another media type: %s", async type => {
    const answer = await api.post(`${space}/workflows`, '{"name":"x"}', { "content-type": type });
    expectProblem(answer, 415, "unsupported_media_type");
  });

  it("is rejected at 2 MiB, with a stated length and without", async () => {
    const text = JSON.stringify({ name: "x", definition: "x".repeat(2 * 1_048_576) });
    expectProblem(await api.post(`${space}/workflows`, text), 413, "payload_too_large");

    const { socket, until } = rawConnection(port());
    socket.write(
      `POST ${space}/workflows HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for (let i = 0; i < 32; i++) socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`);
    expect(await until(/"code":"\w+"/)).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/);
    socket.destroy();
  });

  it.each([100, 10_000, 90_000])("is rejected %d levels deep, in a definition and elsewhere", async depth => {
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expectProblem(await api.post(`${space}/workflows`, `{"name":"x","definition":${deep}}`), 400, "json_too_deep");
    const objects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const answer = await api.post(`${space}/executions`, `{"workflowId":"${uuid()}","input":${objects}}`);
    expectProblem(answer, 400, "json_too_deep");
  });

  it("is rejected with unknown fields, and the answer names each", async () => {
    const answer = await api.post(`${space}/workflows`, { name: "x", Definition: {}, id: uuid(), workspaceId: uuid() });
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer).sort()).toEqual(["/Definition", "/id", "/workspaceId"]);
    const nested = await api.patch(`${workflow}/star`, { starred: true, role: "owner" });
    expect(faultsOf(nested)).toEqual(["/role"]);
  });

  it.each<[string, object]>([
    ["name", { name: 5 }],
    ["name", { name: "" }],
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(201) }],
    ["name", {}],
    ["description", { name: "x", description: null }],
    ["description", { name: "x", description: "x".repeat(10_001) }],
  ])("is rejected with an invalid %s: %j", async (path, body) => {
    const answer = await api.post(`${space}/workflows`, body);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer)).toEqual([`/${path}`]);
  });

  it.each(["1e999", "-1e999", "1.5", "0", "-1", "9007199254740993", '"1"', "null", "true", "[1]"])(
    "is rejected with an invalid version: %s",
    async version => {
      const workflowId = workflow.split("/").at(-1);
      const answer = await api.post(`${space}/executions`, `{"workflowId":"${workflowId}","version":${version}}`);
      expectProblem(answer, [400, 404]);
    },
  );

  it.each([
    ['{"name":"x","name":"y"}', "/name"],
    ['{"name":"x","definition":{"nodes":[{"id":"a","\\u0069d":"b"}]}}', "/definition/nodes/0/id"],
  ])("is rejected if it repeats a key: %s", async (text, path) => {
    const answer = await api.post(`${space}/workflows`, text);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer)).toEqual([path]);
  });

  it.each([
    '{"name":"x","__proto__":{"starred":true}}',
    '{"name":"x","definition":{"__proto__":{"nodes":[]}}}',
    '{"name":"x","definition":{"a":[{"constructor":{"prototype":{"b":1}}}]}}',
    '{"name":"x","definition":{"\\u005f_proto__":1}}',
  ])("is rejected if it names a prototype: %s", async text =>
    expectProblem(await api.post(`${space}/workflows`, text), 400, "validation_failed"),
  );
});

describe("people and keys", () => {
  const base = () => `/v1/workspaces/${space.split("/")[3]}`;

  it.each<[string, object]>([
    ["slug", { slug: "🎉" }],
    ["slug", { slug: "looms-🧵" }],
    ["slug", { slug: "Looms" }],
    ["slug", { slug: "a".repeat(81) }],
    ["name", { name: "x".repeat(10_000) }],
    ["name", { name: { $ne: null } }],
  ])("rejects an invalid %s of a workspace: %j", async (path, body) => {
    for (const answer of [await api.post("/v1/workspaces", { name: "w", ...body }), await api.patch(base(), body)]) {
      expectProblem(answer, 400, "validation_failed");
      expect(faultsOf(answer)).toEqual([`/${path}`]);
    }
  });

  it("accepts a name of emoji only, and derives a valid slug", async () => {
    const { status, body } = await api.post("/v1/workspaces", { name: "🎉🧵" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "🎉🧵", slug: expect.stringMatching(/^[a-z0-9-]+$/) as unknown });
  });

  it.each<[string, string, object]>([
    ["invites", "email", { email: "nobody" }],
    ["invites", "email", { email: `${"x".repeat(300)}@example.com` }],
    ["invites", "email", { email: ["a@example.com"] }],
    ["invites", "role", { email: "a@example.com", role: "root" }],
    ["invites", "role", { email: "a@example.com", role: "__proto__" }],
    ["invites", "invitedBy", { email: "a@example.com", invitedBy: uuid() }],
    ["api-keys", "name", { name: "x".repeat(10_000) }],
    ["api-keys", "name", {}],
    ["api-keys", "role", { name: "k", role: "constructor" }],
    ["api-keys", "expiresAt", { name: "k", expiresAt: "tomorrow" }],
    ["api-keys", "expiresAt", { name: "k", expiresAt: 1e15 }],
    ["api-keys", "expiresAt", { name: "k", expiresAt: "2020-01-01T00:00:00Z" }],
    ["api-keys", "expiresAt", { name: "k", expiresAt: "+275760-09-13T00:00:00.001Z" }],
    ["api-keys", "key", { name: "k", key: "wfk_mine" }],
  ])("rejects %s with an invalid %s: %j", async (list, path, body) => {
    const answer = await api.post(`${base()}/${list}`, body);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer)).toEqual([`/${path}`]);
  });

  it.each(["x", "", "wfi_", `wfi_${"A".repeat(64)}`, "wfk_x"])(
    "rejects an invalid token of an invite: %j",
    async token => expectProblem(await api.post("/v1/invites/accept", { token }), token ? 404 : 400),
  );

  it("stored nothing from these requests", async () => {
    for (const list of ["invites", "api-keys"]) expect((await api.get(`${base()}/${list}`)).body).toEqual([]);
  });
});

describe("a path", () => {
  it.each([
    "x",
    "1",
    "..",
    "%2e%2e",
    "%00",
    "%zz",
    "%E0%A4%A",
    "a%2Fb",
    "..%2f..%2fetc%2fpasswd",
    "null",
    "undefined",
    "[object Object]",
    "00000000-0000-0000-0000-00000000000",
    "' OR 1=1 --",
    '{"$ne":null}',
    "x".repeat(5_000),
  ])("leads nowhere with an invalid id: %s", async id => {
    for (const path of [`${space}/workflows/${id}`, `/v1/workspaces/${id}/members`, `/v1/workspaces/${id}`]) {
      const answer = await api.get(path);
      if (!(id.startsWith("..") || id === "%2e%2e") || answer.status !== 200) expectProblem(answer, 404, "not_found");
    }
  });

  it("is matched exactly, so ids in upper case and other spellings are not found", async () => {
    const id = workflow.split("/").at(-1)!;
    for (const spelling of [id.toUpperCase(), `{${id}}`, `${id}%20`, `%20${id}`, id.replaceAll("-", "")]) {
      expectProblem(await api.get(`${space}/workflows/${spelling}`), 404, "not_found");
    }
    expectProblem(await api.get(workflow.replace("/v1/", "/V1/")), 404, "not_found");
    expectProblem(await api.get(workflow.replace("/v1/", "//v1/")), 404, "not_found");
  });

  it.each(["0", "-1", "1.5", "1e1", "two", "99999999999999999999", "%31x"])(
    "leads nowhere with an invalid version: %s",
    async version => expectProblem(await api.get(`${workflow}/versions/${version}`), 404, "not_found"),
  );

  it("accepts only its own methods, and lists them", async () => {
    for (const method of ["PUT", "POST", "OPTIONS"]) {
      const answer = await api.request(method, workflow);
      expectProblem(answer, 405, "method_not_allowed");
      expect(answer.headers.get("allow")).toBe("GET, HEAD, PATCH, DELETE");
    }
  });
});

describe("a query", () => {
  it.each([
    ["workflows", "trashed=1", "trashed"],
    ["workflows", "trashed=True", "trashed"],
    ["workflows", "trashed=", "trashed"],
    ["workflows", "trashed=true&trashed=false", "trashed"],
    ["workflows", "starred=yes", "starred"],
    ["workflows", "limit=0", "limit"],
    ["workflows", "limit=201", "limit"],
    ["workflows", "limit=1000000000", "limit"],
    ["workflows", "limit=1e2", "limit"],
    ["workflows", "limit=-1", "limit"],
    ["workflows", "limit=1.5", "limit"],
    ["workflows", "limit=NaN", "limit"],
    ["workflows", "limit=", "limit"],
    ["workflows", "limit=5&limit=5", "limit"],
    ["workflows", "limit[]=5", "limit[]"],
    ["workflows", "limit[$gt]=5", "limit[$gt]"],
    ["workflows", "page=2", "page"],
    ["workflows", "__proto__=x", "__proto__"],
    ["workflows", "workspaceId=x", "workspaceId"],
    ["executions", "status=unknown", "status"],
    ["executions", "status=failed&status=failed", "status"],
    ["executions", "workflowId=x", "workflowId"],
    ["executions", "workflowId[$ne]=x", "workflowId[$ne]"],
  ])("of %s is rejected if it is invalid: %s", async (list, query, path) => {
    const answer = await api.get(`${space}/${list}?${query}`);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer)).toContain(`/${path}`);
  });

  it("is rejected on a request that changes something", async () =>
    expectProblem(await api.patch(`${workflow}/star?starred=true`, { starred: true }), 400, "validation_failed"));

  it.each([
    "x",
    "!!!",
    "WyIiXQ",
    "bnVsbA",
    Buffer.from('["-id",null]').toString("base64url"),
    Buffer.from('["-id",5]').toString("base64url"),
    Buffer.from('["-id",{"$gt":""}]').toString("base64url"),
    Buffer.from('["name","x"]').toString("base64url"),
    Buffer.from("[".repeat(1_000)).toString("base64url"),
    "x".repeat(2_001),
    "",
  ])("is rejected with an invalid cursor: %s", async cursor => {
    for (const list of [`${space}/workflows`, `${space}/executions`, "/v1/workspaces", `${run}/logs`]) {
      expectProblem(await api.get(`${list}?cursor=${cursor}`), 400);
    }
  });
});

describe("a header", () => {
  it.each(['"nope"', "nope", "W/*", ",", '"', '""'])(
    "If-Match that does not match prevents the change: %s",
    async tag =>
      expectProblem(await api.patch(workflow, { name: "Changed" }, { "if-match": tag }), 412, "precondition_failed"),
  );

  it("If-Match is rejected if it is far too long", async () =>
    expectProblem(
      await api.patch(workflow, { name: "x" }, { "if-match": "x".repeat(5_000) }),
      400,
      "validation_failed",
    ));

  it.each(["abc", "-1", "1.5", "1e3", "0x1", "99999999999999999999", "1, 2"])(
    "Last-Event-ID is rejected if it is invalid: %s",
    async id => expectProblem(await api.get(`${run}/events`, { "last-event-id": id }), 400, "validation_failed"),
  );

  it.each(["wait=1e9", "wait=0x10", "wait=60000", "wait=;", "=", "x".repeat(8_000), "wait=NaN"])(
    "Prefer is ignored if it cannot be honoured: %s",
    async prefer => {
      const workflowId = workflow.split("/").at(-1);
      const answer = await api.post(`${space}/executions`, { workflowId }, { prefer });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("preference-applied")).toBeNull();
    },
  );

  it("is rejected if it is huge, or if there are too many headers", async () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `X-${i}: ${"y".repeat(20)}`).join("\r\n");
    for (const header of [`X-Long: ${"x".repeat(100_000)}`, lines]) {
      const { socket, until } = rawConnection(port());
      socket.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
      expect(await until(/"requestId"/)).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*problem\+json/);
      socket.destroy();
    }
  });

  it("X-Request-Id is replaced if it could harm a log", async () => {
    const { headers } = await api.get("/v1/auth/me", { "x-request-id": `{"level":"fatal"}` });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    "GARBAGE\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /health/live HTTP/1.1\r\n\r\n",
    "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "\u0016\u0003\u0001\u0002\u0000",
  ])("or a line is rejected if it is not HTTP: %j", async text => {
    const { socket, until } = rawConnection(port());
    socket.write(text);
    expect(await until(/"requestId"/)).toMatch(/^HTTP\/1\.1 4\d\d /);
    socket.destroy();
  });
});

test("changes no stored data with any of these requests", async () => {
  expect((await api.get(workflow)).body).toMatchObject({
    name: "A workflow",
    version: 1,
    starred: false,
    description: "",
  });
});

test("serves other clients all the time, beside clients that never finish", async () => {
  expect(slow.filter(({ text }) => text() !== "")).toEqual([]);
  const answers = await prober.stop();
  expect(answers.length).toBeGreaterThan(10);
  expect(answers.filter(status => status !== 200)).toEqual([]);
});
