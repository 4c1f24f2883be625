import { v7 as uuid } from "uuid";
import { type Api, newWorkflow, newWorkspace, register, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let endpoint: Endpoint;
let api: Api;
let space: string;
let base: string;
let workspaceId: string;
beforeAll(async () => {
  [server, endpoint] = await Promise.all([sharedServer(), startEndpoint()]);
  ({ api, space, workspaceId } = await newWorkspace(server.url));
  base = `/v1/workspaces/${workspaceId}`;
});
afterAll(() => endpoint.close());

let count = 0;
const fresh = (word: string) => `${word}-${uuid().slice(-12)}`;
const hereHost = () => new URL(endpoint.url).host;

async function made(type: string, data: object, more: object = {}, by = api) {
  const body = { name: `${type} ${++count}`, type, hosts: [hereHost()], data, ...more };
  const answer = await by.post(`${base}/credentials`, body);
  if (answer.status !== 201) throw new Error(`Making a credential answered ${JSON.stringify(answer.body)}`);
  return answer.body as { id: string; name: string };
}

const calls = (credential: string, path = "/echo", data: object = {}) =>
  definition([node("call", "http", { url: path.startsWith("/") ? endpoint.url + path : path, credential, ...data })]);
const run = (credential: string, path?: string, data?: object) => runToEnd(api, space, calls(credential, path, data));

test("describes each type with a schema that fits its credentials", async () => {
  const { status, body, headers } = await api.get("/v1/credential-types");
  expect(status).toBe(200);
  expect(headers.get("etag")).toMatch(/^"/);
  const types = body.types as { type: string; summary: string; hosts: string; dataSchema: { properties?: object } }[];
  const basic = types.find(({ type }) => type === "basic");
  expect(basic).toMatchObject({ hosts: "given", use: "calls", tokens: null });
  expect(basic?.dataSchema).toMatchObject({
    required: ["username", "password"],
    properties: { password: { type: "string", format: "password", description: "The password." } },
  });
  expect(types.find(({ type }) => type === "oauth2_code")).toMatchObject({ tokens: "code" });
  expect(types.find(({ type }) => type === "smtp")).toMatchObject({ hosts: "own", use: "connections" });
});

test("creates, lists, returns, changes and deletes a credential, and never returns its data", async () => {
  const value = fresh("secret");
  const created = await api.post(`${base}/credentials`, {
    name: "Shop",
    type: "header",
    hosts: ["API.Example.com", "*.example.com", "api.example.com:8443"],
    data: { name: "X-Key", value, prefix: "Key " },
  });
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe(`${base}/credentials/${created.body.id}`);
  expect(created.body).toMatchObject({
    ...{ name: "Shop", type: "header", spaceIds: null, status: "ready", fields: ["name", "value", "prefix"] },
    hosts: ["*.example.com", "api.example.com", "api.example.com:8443"],
    ...{ lastError: null, lastUsedAt: null, expiresAt: null, usedBy: [] },
  });
  const path = `${base}/credentials/${created.body.id}`;
  expect((await api.get(path)).body).toEqual(created.body);
  expect((await api.get(`${base}/credentials?type=header`)).body).toEqual([created.body]);
  expect((await api.get(`${base}/credentials?type=basic`)).body).toEqual([]);

  const renamed = await api.patch(path, { name: "Shop 2" });
  expect(renamed).toMatchObject({ status: 200, body: { name: "Shop 2", hosts: created.body.hosts } });
  const moved = await api.patch(path, { hosts: ["example.org"], data: { name: "X-Key", value: `${value}2` } });
  expect(moved).toMatchObject({ status: 200, body: { hosts: ["example.org"], fields: ["name", "value"] } });
  for (const { body } of [created, renamed, moved]) expect(JSON.stringify(body)).not.toContain(value);
  expect((await api.delete(path)).status).toBe(204);
  expect((await api.get(path)).status).toBe(404);
});

test.each([
  ["no hosts", { hosts: undefined }, "/hosts"],
  ["an empty list of hosts", { hosts: [] }, "/hosts"],
  ["a URL as host", { hosts: ["https://example.com/"] }, "/hosts/0"],
  ["a host with a user", { hosts: ["example.com@evil.com"] }, "/hosts/0"],
  ["a star below a top-level domain", { hosts: ["*.com"] }, "/hosts/0"],
  ["a star in the middle", { hosts: ["api.*.com"] }, "/hosts/0"],
  ["data of another type", { data: { token: "abc" } }, "/data/value"],
  ["a line break in the value", { data: { name: "X-Key", value: "a\r\nX-Evil: 1" } }, "/data/value"],
  ["a header that frames the message", { data: { name: "Host", value: "abc" } }, "/data/name"],
  ["an unknown field", { data: { name: "X-Key", value: "abc", more: 1 } }, "/data/more"],
  ["an unknown type", { type: "magic" }, "/type"],
  ["a space of another workspace", { spaceIds: ["019f0000-0000-7000-8000-000000000000"] }, "/spaceIds/0"],
])("rejects %s, with the path of the fault", async (_, change, path) => {
  const body = {
    name: fresh("n"),
    type: "header",
    hosts: ["a.example"],
    data: { name: "X-Key", value: "v" },
    ...change,
  };
  const { status, body: problem } = await api.post(`${base}/credentials`, body);
  expect({ status, code: problem.code }).toEqual({ status: 400, code: "validation_failed" });
  expect(problem.errors).toContainEqual(expect.objectContaining({ path }));
});

test("rejects a name that is already used", async () => {
  const { name } = await made("bearer", { token: "t0ken" });
  const second = { name, type: "bearer", hosts: ["a.example"], data: { token: "t" } };
  expect(await api.post(`${base}/credentials`, second)).toMatchObject({ status: 409, body: { code: "name_taken" } });
  const other = await made("bearer", { token: "t0ken" });
  expect(await api.patch(`${base}/credentials/${other.id}`, { name })).toMatchObject({ body: { code: "name_taken" } });
});

test("requires the data again for a change of the hosts or the type", async () => {
  const { id } = await made("bearer", { token: "t0ken" });
  const path = `${base}/credentials/${id}`;
  for (const change of [{ hosts: ["evil.example"] }, { hosts: [hereHost(), "evil.example"] }, { type: "basic" }]) {
    const { status, body } = await api.patch(path, change);
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ path: "/data" }] });
  }
  expect((await api.patch(path, { hosts: [hereHost()] })).status).toBe(200);
});

test("lets only an admin allow every host, lets viewers read, and shows other people nothing", async () => {
  const [editor, viewer, stranger] = await Promise.all([1, 2, 3].map(() => register(server.url)));
  await addMembers(server.dataDir, [
    { workspaceId, userId: editor!.userId, role: "editor" },
    { workspaceId, userId: viewer!.userId, role: "viewer" },
  ]);
  const body = { name: fresh("all"), type: "bearer", hosts: ["*"], data: { token: "t0ken" } };
  expect(await editor!.post(`${base}/credentials`, body)).toMatchObject({
    status: 403,
    body: { code: "role_too_low" },
  });
  const { id } = await made("bearer", { token: "t0ken" }, { hosts: ["a.example"] }, editor);
  const path = `${base}/credentials/${id}`;
  expect((await editor!.patch(path, { hosts: ["*"], data: { token: "t0ken" } })).status).toBe(403);
  expect((await api.patch(path, { hosts: ["*"], data: { token: "t0ken" } })).status).toBe(200);
  expect((await viewer!.get(path)).status).toBe(200);
  expect((await viewer!.patch(path, { name: "x" })).status).toBe(403);
  expect((await viewer!.delete(path)).status).toBe(403);
  for (const answer of [await stranger!.get(path), await stranger!.delete(path)]) expect(answer.status).toBe(404);
  const log = (await api.get(`${base}/audit?limit=200`)).body as {
    action: string;
    fields: string[];
    outcome: string;
  }[];
  const denied = log.filter(({ action, outcome }) => action === "credentials.update" && outcome === "denied");
  expect(denied.map(({ fields }) => fields)).toEqual([["name"], ["hosts", "data"]]);
});

test("derives the hosts of a database, a mail server, storage or a model from their addresses", async () => {
  const given = { hosts: undefined };
  const database = { host: "db.example.com", database: "shop", username: "u", password: "p4ssw0rd" };
  const shown = await Promise.all([
    made("postgres", database, given),
    made("mysql", { ...database, port: 3307 }, given),
    made("smtp", { host: "mail.example.com" }, given),
    made("s3", { accessKeyId: "AK", secretAccessKey: "SK" }, given),
    made("model", { baseUrl: "https://models.example.com/v1" }, given),
  ]);
  expect(shown).toMatchObject(
    ["db.example.com:5432", "db.example.com:3307", "mail.example.com:587", "*.amazonaws.com", "models.example.com"].map(
      host => ({ hosts: [host] }),
    ),
  );
  expect(await made("hmac", { key: "k3y" }, given)).toMatchObject({ hosts: [] });
});

describe("an http step with a credential", () => {
  test.each([
    ["header", { name: "X-Api-Key", value: "v4lue-1234", prefix: "Key " }, { "x-api-key": "Key v4lue-1234" }],
    ["bearer", { token: "t0ken-12345" }, { authorization: "Bearer t0ken-12345" }],
    ["basic", { username: "ada", password: "p4ss w0rd:1" }, { authorization: `Basic ${btoa("ada:p4ss w0rd:1")}` }],
  ])("is signed by %s, and the secret is masked where it comes back", async (type, data, headers) => {
    const { id } = await made(type, data);
    const path = `/echo/${id}`;
    const { status, output } = await run(id, path);
    expect(status).toBe("completed");
    expect(endpoint.received(path)[0]!.headers).toMatchObject(headers);
    const [secret] = Object.values(headers);
    expect(JSON.stringify(output)).not.toContain(secret!.split(" ").at(-1));
    expect(JSON.stringify(output)).toContain("•••");
    const { body } = await api.get(`${base}/credentials/${id}`);
    expect(Date.now() - Date.parse(body.lastUsedAt)).toBeLessThan(120_000);
    expect(body.usedBy).toMatchObject([{ name: "A workflow", deployed: false }]);
  });

  test("is signed by a query parameter, which appears in no output and no error", async () => {
    const { id } = await made("query", { name: "key", value: "v+lue/&1234" });
    expect((await run(id, `/echo/${id}?a=1`)).status).toBe("completed");
    expect(endpoint.received(`/echo/${id}`)[0]!.query).toEqual({ a: "1", key: "v+lue/&1234" });
    const { error } = await run(id, "/status/418");
    expect(error).toMatchObject({ code: "http_status", details: { url: `${endpoint.url}/status/418` } });
    expect(JSON.stringify(error)).not.toContain("lue");
  });

  test("is signed for AWS, with a session token and the hash of the body", async () => {
    const keys = {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
      sessionToken: "s3ss10n-t0k3n",
    };
    const { id } = await made("aws", { ...keys, region: "eu-central-1", service: "execute-api" });
    expect((await run(id, `/echo/${id}`, { method: "POST", body: { a: 1 } })).status).toBe("completed");
    const { headers } = endpoint.received(`/echo/${id}`)[0]!;
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/execute-api\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$|SignedHeaders=host;/,
    );
    expect(headers["x-amz-security-token"]).toBe("s3ss10n-t0k3n");
    expect(headers["x-amz-content-sha256"]).toBe("015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862");
  });

  test("sends the credential to its hosts only, also after a redirect", async () => {
    const { id } = await made("bearer", { token: "t0ken-12345" });
    const other = await startEndpoint();
    try {
      const refused = [
        await run(id, `${other.url}/echo/direct`),
        await run(id, `/redirect/${encodeURIComponent(`${other.url}/echo/redirected`)}`),
      ];
      for (const { status, error } of refused)
        expect({ status, code: error.code }).toEqual({ status: "failed", code: "credential_host_not_allowed" });
      expect([...other.received("/echo/direct"), ...other.received("/echo/redirected")]).toEqual([]);
      const within = await run(id, `/redirect/${encodeURIComponent(`${endpoint.url}/echo/${id}`)}`);
      expect(within.status).toBe("completed");
      expect(endpoint.received(`/echo/${id}`)[0]!.headers.authorization).toBe("Bearer t0ken-12345");
    } finally {
      await other.close();
    }
  });

  test("fails if the credential is missing, belongs to other spaces, or does not sign requests", async () => {
    const second = await api.post(`${base}/spaces`, { name: "Second" });
    const elsewhere = await made("bearer", { token: "t0ken" }, { spaceIds: [second.body.id] });
    const hmac = await made("hmac", { key: "k3y-1234" }, { hosts: undefined });
    const codes = [];
    for (const id of [uuid(), elsewhere.id, hmac.id]) codes.push((await run(id)).error.code);
    expect(codes).toEqual(["credential_not_found", "credential_not_found", "credential_not_usable"]);
    const there = `${base}/spaces/${second.body.id}`;
    expect((await runToEnd(api, there, calls(elsewhere.id))).status).toBe("completed");
  });

  test("accepts a credential by its id, and rejects an expression", async () => {
    const { error } = await runToEnd(api, space, calls("{{ input.id }}"), { id: uuid() });
    expect(error).toMatchObject({ code: "invalid_definition", faults: [{ path: "/nodes/0/data/credential" }] });
  });
});

test("shows when a bearer token that is a JWT expires, and marks it as expired afterwards", async () => {
  const jwt = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.c2ln`;
  const past = await made("bearer", { token: jwt(1_700_000_000) });
  expect(past).toMatchObject({ status: "expired", expiresAt: "2023-11-14T22:13:20.000Z" });
  const path = `${base}/credentials/${past.id}`;
  const renewed = await api.patch(path, { data: { token: jwt(4_102_444_800) } });
  expect(renewed.body).toMatchObject({ status: "ready", expiresAt: "2100-01-01T00:00:00.000Z" });
  const opaque = await api.patch(path, { data: { token: "t0ken.of.another" } });
  expect(opaque.body).toMatchObject({ status: "ready", expiresAt: null });
});

test("deletes a credential that a deployed workflow uses only with force", async () => {
  const { id } = await made("bearer", { token: "t0ken" });
  const path = `${base}/credentials/${id}`;
  const workflowId = await newWorkflow(api, space, calls(id));
  expect((await api.post(`${space}/workflows/${workflowId}/deploy`)).status).toBe(200);
  // The deployed version goes on using it.
  await api.patch(`${space}/workflows/${workflowId}`, { definition: null });
  expect((await api.get(path)).body.usedBy).toMatchObject([{ workflowId, deployed: true }]);
  const refused = await api.delete(path);
  expect(refused).toMatchObject({ status: 409, body: { code: "credential_in_use", usedBy: [{ workflowId }] } });
  expect((await api.delete(`${path}?force=true`)).status).toBe(204);
});

test("exports a credential by name and type, and binds it at import or warns", async () => {
  const { id, name } = await made("bearer", { token: "t0ken-12345" });
  const workflowId = await newWorkflow(api, space, calls(id));
  const { body: file } = await api.get(`${space}/workflows/${workflowId}/export`);
  expect(file.definition.nodes[0].data.credential).toEqual({ $credential: { name, type: "bearer" } });
  const bound = await api.post(`${space}/workflows/import`, file);
  expect(bound.body).toMatchObject({ warnings: [], definition: { nodes: [{ data: { credential: id } }] } });
  const n8n = {
    nodes: [
      { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, parameters: {} },
      {
        ...{ name: "Call", type: "n8n-nodes-base.httpRequest", typeVersion: 4.2, parameters: { url: endpoint.url } },
        credentials: { httpBearerAuth: { id: "1", name } },
      },
    ],
    connections: { Start: { main: [[{ node: "Call", type: "main", index: 0 }]] } },
  };
  const foreign = await api.post(`${space}/workflows/import`, n8n);
  expect(foreign.body.definition.nodes[1].data.credential).toBe(id);
  const other = await newWorkspace(server.url);
  const wanting = await other.api.post(`${other.space}/workflows/import`, n8n);
  expect(wanting.body.warnings).toContainEqual(
    expect.objectContaining({
      node: "Call",
      message: expect.stringContaining(`"${name}" of the type bearer`) as string,
    }),
  );
  const unbound = await other.api.post(`${other.space}/workflows/import`, file);
  expect(unbound.body.warnings).toMatchObject([{ nodeId: "call", message: expect.stringContaining(name) as string }]);
  const { body } = await other.api.post(`${other.space}/workflows/${unbound.body.id}/validate`);
  expect(body.faults).toMatchObject([{ path: "/nodes/0/data/credential" }]);
});
