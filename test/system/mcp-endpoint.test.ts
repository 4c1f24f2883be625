import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "@modelcontextprotocol/client";
import { v7 as uuid } from "uuid";
import { OWN_TOOL_NAMES } from "../../contracts/entities/workflow-tool.ts";
import { type Api, type Json, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { startCredentialProxy } from "../support/credential-proxy.ts";
import { eventually } from "../support/executions.ts";
import { addMembers } from "../support/members.ts";
import { ACCEPT, answerOf, ERAS, type Era, mcpClient, messageOf, rpc } from "../support/mcp-client.ts";
import { type Server, temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const SUITE = join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const EXPECTED = join("test", "support", "mcp-conformance-server.yml");

let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
let mcp: string;
const clients: Client[] = [];

beforeAll(async () => {
  server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  mcp = `${server.url}/mcp`;
});
afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
});

async function connect(token = api.token, era: Era = "modern", url = mcp): Promise<Client> {
  const client = await mcpClient(url, token, era);
  clients.push(client);
  return client;
}
const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Json> =>
  answerOf(await client.callTool({ name, arguments: args }));
const idOf = ({ id }: { id: string }) => id;
const namesOf = async (client: Client) => (await client.listTools()).tools.map(tool => tool.name);

/** A deployed workflow of this name that takes this input; gives its id. */
async function deploy(name: string, graph: object, inputSchema: object | undefined, at = space): Promise<string> {
  const settings = inputSchema && { settings: { inputSchema } };
  const made = await api.post(`${at}/workflows`, {
    name,
    description: `About ${name}`,
    definition: { ...graph, ...settings },
  });
  expect(made.status).toBe(201);
  expect((await api.post(`${at}/workflows/${made.body.id}/deploy`)).status).toBe(200);
  return made.body.id as string;
}

const greet = definition([gives("hello", "{{ 'Hello ' & input.name }}")]);
const asks = definition([node("ask", "human", { prompt: "Go on?" })]);
const late = definition([node("wait", "delay", { ms: 600_000 })]);
const named = { type: "object", properties: { name: { type: "string", maxLength: 20 } }, required: ["name"] };

async function newKey(role: string): Promise<{ key: string; id: string }> {
  const { body } = await api.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: role, role });
  return body as { key: string; id: string };
}
/** Sends a message by hand. */
const send = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(mcp, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: ACCEPT, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe.each(ERAS)("with a client of the %s protocol", era => {
  const version = { legacy: "2025-11-25", modern: "2026-07-28" }[era];
  let client: Client;
  beforeAll(async () => void (client = await connect(api.token, era)));

  test("describes itself, and announces no change notifications", async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: "weft" });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.getInstructions()).toContain("get_execution");
    expect(await namesOf(client)).toEqual(expect.arrayContaining([...OWN_TOOL_NAMES]));
  });

  test("shows a deployed workflow that states its input as a tool, and reports its progress", async () => {
    const name = `greet_${era}`;
    const id = await deploy(name, greet, named);
    const tool = (await client.listTools()).tools.find(one => one.name === name);
    expect(tool).toMatchObject({ title: name, inputSchema: named });
    expect(tool?.description).toContain(`About ${name}`);
    const told: { progress: number; message?: string | undefined }[] = [];
    const onprogress = (progress: (typeof told)[number]) => void told.push(progress);
    const result = await client.callTool({ name, arguments: { name: "Ada" } }, { onprogress });
    expect(result.isError).toBeFalsy();
    expect(answerOf(result)).toMatchObject({ workflowId: id, status: "completed", output: "Hello Ada", error: null });
    const steps = told.map(({ progress }) => progress);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(told.at(-1)?.message).toBe("The run completed.");

    const started = await api.post(`${space}/executions`, {
      workflowId: id,
      input: { name: "far too long for a name" },
    });
    expect(started).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect((started.body.errors as { path: string }[]).map(({ path }) => path)).toContain("/input/name");
    const refused = await client.callTool({ name, arguments: { name: 5 } });
    expect(refused.isError).toBe(true);
    expect(answerOf(refused)).toMatchObject({
      code: "validation_failed",
      errors: expect.arrayContaining([expect.objectContaining({ path: "/input/name" })]) as unknown,
    });
  });

  test("runs, reads, answers and cancels any workflow", async () => {
    const workflowId = await deploy(`asks_${era}`, asks, undefined);
    const asked = await call(client, "run_workflow", { workflowId });
    expect(asked).toMatchObject({ status: "suspended", suspension: { nodeId: "ask", prompt: "Go on?" } });
    const { executionId } = asked;
    const answered = await call(client, "answer_execution", { executionId, data: { by: "Ada" } });
    expect(answered.executionId).toBe(executionId);
    const ended = await call(client, "get_execution", { executionId, waitSeconds: 30 });
    expect(ended).toMatchObject({ status: "completed", output: { approved: true, data: { by: "Ada" } } });
    expect(await call(client, "answer_execution", { executionId })).toMatchObject({ code: "execution_not_suspended" });

    const other = await call(client, "run_workflow", {
      workflowId: await deploy(`late_${era}`, late, undefined),
      waitSeconds: 0,
    });
    expect(other.next).toContain("get_execution");
    expect(await call(client, "cancel_execution", { executionId: other.executionId })).toMatchObject({
      status: "cancelled",
    });
    expect(await call(client, "cancel_execution", { executionId: other.executionId })).toMatchObject({
      code: "execution_finished",
    });
  });

  test("reports a failed run as a failed call, and hides internal errors", async () => {
    const workflowId = await deploy(
      `fails_${era}`,
      definition([node("no", "fail", { message: "Not today." })]),
      undefined,
    );
    const result = await client.callTool({ name: "run_workflow", arguments: { workflowId } });
    expect(result.isError).toBe(true);
    expect(answerOf(result)).toMatchObject({ status: "failed", error: { message: "Not today." } });
    const { executionId } = answerOf(result);
    const read = await client.callTool({ name: "get_execution", arguments: { executionId } });
    expect(read.isError).toBeFalsy();
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    expect(await call(client, "get_execution", { executionId: "x", more: 1 })).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "/executionId" }, { path: "/more" }],
    });
  });

  test("adds and finds memories and knowledge", async () => {
    const added = await call(client, "add_memory", { content: `The ${era} kettle is red`, factType: "fact" });
    const found = await call(client, "search_memory", { query: `${era} kettle` });
    expect((found.memories as { id: string }[]).map(idOf)).toContain(added.id);
    expect(await call(client, "ingest_memory", { content: "I live in Bonn." })).toMatchObject({
      memoriesCreated: expect.any(Number) as unknown,
    });

    const bases = `/v1/workspaces/${workspaceId}/knowledge-bases`;
    const made = await api.post(bases, { name: `Base ${era}` });
    await api.post(`${bases}/${made.body.id}/entries`, { content: `The ${era} lighthouse has 99 steps.` });
    expect(((await call(client, "list_knowledge_bases")).items as { id: string }[]).map(idOf)).toContain(made.body.id);
    for (const one of [{}, { knowledgeBaseId: made.body.id }]) {
      const { matches, all } = await call(client, "search_knowledge", { query: `${era} lighthouse`, limit: 3, ...one });
      expect(all).toBe(true);
      const texts = (matches as { content: string }[]).map(({ content }) => content);
      expect(texts).toContain(`The ${era} lighthouse has 99 steps.`);
    }
  });
});

describe("the workspace", () => {
  test("is that of the API key, or the one that the path names", async () => {
    const { key } = await newKey("editor");
    const other = await api.post("/v1/workspaces", { name: "Second" });
    const there = `${mcp}/${other.body.id}`;
    expect(await namesOf(await connect(key))).toContain("run_workflow");
    expect(await namesOf(await connect(api.token, "modern", there))).toContain("run_workflow");
    const several = await send(api.token, rpc("tools/list"));
    expect(several.status).toBe(400);
    expect(((await several.json()) as Json).detail).toContain("/mcp/<workspaceId>");
    const named = await fetch(there, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: ACCEPT },
      body: JSON.stringify(rpc("tools/list")),
    });
    expect(named.status).toBe(404);
    expect((await api.delete(`/v1/workspaces/${other.body.id}`)).status).toBe(204);
  });

  test("of other people cannot be reached by any id", async () => {
    const mine = await connect();
    const theirs = await newWorkspace(server.url);
    const made = await theirs.api.post(`${theirs.space}/workflows`, { name: "Theirs", definition: greet });
    const run = await theirs.api.post(`${theirs.space}/executions`, { workflowId: made.body.id, input: { name: "x" } });
    const executionId = run.body.id as string;
    const base = await theirs.api.post(`/v1/workspaces/${theirs.workspaceId}/knowledge-bases`, { name: "Theirs" });
    const calls: [string, object][] = [
      ["run_workflow", { workflowId: made.body.id }],
      ["run_workflow", { workflowId: made.body.id, spaceId: theirs.workspaceId }],
      ["get_execution", { executionId }],
      ["get_execution", { executionId, spaceId: theirs.workspaceId }],
      ["cancel_execution", { executionId }],
      ["answer_execution", { executionId }],
      ["search_knowledge", { query: "x", knowledgeBaseId: base.body.id }],
      ["get_execution", { executionId: uuid() }],
    ];
    for (const [name, args] of calls) {
      const { status, code } = await call(mine, name, { ...args });
      expect({ name, status, code }).toEqual({ name, status: 404, code: "not_found" });
    }
    expect(await call(mine, "list_workflows", { spaceId: theirs.workspaceId })).toEqual({ items: [], next: null });
    await expect(mcpClient(`${mcp}/${theirs.workspaceId}`, api.token)).rejects.toThrow();
  });

  test("finds a run in any of its spaces", async () => {
    const { body } = await api.post(`/v1/workspaces/${workspaceId}/spaces`, { name: "Elsewhere" });
    const workflowId = await deploy("elsewhere", greet, named, `/v1/workspaces/${workspaceId}/spaces/${body.id}`);
    const client = await connect();
    for (const ran of [
      await call(client, "elsewhere", { name: "Bo" }),
      await call(client, "run_workflow", { workflowId, input: { name: "Bo" } }),
    ]) {
      expect(ran).toMatchObject({ spaceId: body.id, output: "Hello Bo" });
      expect(await call(client, "get_execution", { executionId: ran.executionId })).toMatchObject({ spaceId: body.id });
    }
  });
});

describe("a role", () => {
  const CHANGES = ["run_workflow", "answer_execution", "cancel_execution", "add_memory", "ingest_memory", "call_tool"];

  test("of a viewer allows reads, and audits other attempts", async () => {
    const viewer = await register(server.url);
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    const { key } = await newKey("viewer");
    const workflowId = await deploy("for_editors", greet, named);
    for (const token of [viewer.token, key]) {
      const client = await connect(token);
      expect((await namesOf(client)).sort()).toEqual(OWN_TOOL_NAMES.filter(name => !CHANGES.includes(name)).sort());
      expect(await call(client, "list_workflows")).toMatchObject({ items: expect.any(Array) as unknown });
      for (const [name, args] of [
        ["run_workflow", { workflowId }],
        ["for_editors", { name: "x" }],
        ["add_memory", { content: "x" }],
      ] as const) {
        expect(await call(client, name, args)).toMatchObject({ status: 403, code: "role_too_low" });
      }
    }
    const { body } = await api.get(`/v1/workspaces/${workspaceId}/audit?action=memory.create&actorId=${viewer.userId}`);
    expect(body).toMatchObject([{ outcome: "denied", resourceType: "memory", address: "127.0.0.1" }]);
  });

  test("of an editor allows changes, and audits them", async () => {
    const { key, id } = await newKey("editor");
    const { id: memoryId } = await call(await connect(key), "add_memory", { content: "On record" });
    const { body } = await api.get(`/v1/workspaces/${workspaceId}/audit?action=memory.create&actorId=${id}`);
    expect(body).toMatchObject([{ outcome: "succeeded", resourceId: memoryId, actor: { kind: "apiKey", id } }]);
  });
});

describe("a credential", () => {
  test.each([
    ["none", undefined],
    ["a wrong one", "Bearer wfk_nobody"],
  ])("that is invalid gets the same answer as elsewhere: %s", async (_, authorization) => {
    const answer = await fetch(mcp, {
      method: "POST",
      headers: { ...(authorization && { authorization }) },
      body: "{}",
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  });

  test("that is revoked ends a waiting call and opens nothing more, while the run continues", async () => {
    const { key, id } = await newKey("editor");
    const workflowId = await deploy("waits", late, undefined);
    const run = { name: "run_workflow", arguments: { workflowId, waitSeconds: 60 } };
    const runs = async () => (await api.get(`${space}/executions?workflowId=${workflowId}`)).body as { id: string }[];
    const modern = expect((await connect(key)).callTool(run)).rejects.toThrow();
    const legacy = await send(key, rpc("tools/call", run));
    await eventually(async () => (await runs()).length === 2, "both runs are there");
    expect((await api.delete(`/v1/workspaces/${workspaceId}/api-keys/${id}`)).status).toBe(204);
    await modern;
    expect(await legacy.text()).not.toContain("executionId");
    expect((await send(key, rpc("tools/list"))).status).toBe(401);
    for (const { id } of await runs()) {
      expect((await api.get(`${space}/executions/${id}`)).body.finishedAt).toBeNull();
      expect((await api.delete(`${space}/executions/${id}`)).status).toBe(204);
    }
  });
});

test("continues a run when its client disconnects", async () => {
  const workflowId = await deploy("given_up", late, undefined);
  const leave = new AbortController();
  const client = await connect();
  const call = { name: "run_workflow", arguments: { workflowId, waitSeconds: 60 } };
  const waiting = client.callTool(call, { signal: leave.signal, onprogress: () => leave.abort() });
  await expect(waiting).rejects.toThrow();
  const [run] = (await api.get(`${space}/executions?workflowId=${workflowId}`)).body;
  expect(run).toMatchObject({ status: expect.stringMatching(/pending|running/) as unknown });
  expect((await api.delete(`${space}/executions/${run.id}`)).status).toBe(204);
});

test("keeps no session, so another node or a restarted one answers as well", async () => {
  const answer = await send(
    api.token,
    rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }),
  );
  expect(answer.headers.get("mcp-session-id")).toBeNull();
  expect(messageOf(await answer.text()).result).toMatchObject({ protocolVersion: "2025-06-18" });
  const notified = await send(api.token, { jsonrpc: "2.0", method: "notifications/initialized" });
  expect([notified.status, await notified.text()]).toEqual([202, ""]);
  const listed = await send(api.token, rpc("tools/list"), {
    "mcp-session-id": "made up",
    "mcp-protocol-version": "2025-06-18",
  });
  expect(messageOf(await listed.text()).result.tools.length).toBeGreaterThan(10);
  for (const method of ["GET", "DELETE"]) {
    const { status, headers } = await fetch(mcp, {
      method,
      headers: { authorization: `Bearer ${api.token}`, accept: "text/event-stream" },
    });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("reports exactly the expected failures in the official conformance suite", async () => {
  const schema2020 = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  };
  const text = "This is a simple text response for testing.";
  const two = definition([node("a", "delay", { ms: 1 }), node("b", "delay", { ms: 1 })], "a > b");
  const any = { type: "object" };
  await deploy("test_simple_text", definition([gives("a", text)]), any);
  await deploy("test_error_handling", definition([node("a", "fail", { message: "as intended" })]), any);
  await deploy("test_tool_with_progress", two, any);
  await deploy("json_schema_2020_12_tool", greet, schema2020);
  const proxy = await startCredentialProxy(server.url, api.token);
  const output = await temporaryFolder();
  try {
    const args = [
      SUITE,
      "server",
      "--url",
      `${proxy.url}/mcp`,
      "--suite",
      "all",
      "--expected-failures",
      EXPECTED,
      "-o",
      output,
    ];
    const { stdout } = await promisify(execFile)("node", args, { timeout: 25_000 }).catch(
      (error: { stdout: string }) => {
        throw new Error(error.stdout.slice(error.stdout.indexOf("=== SUMMARY ===")));
      },
    );
    expect(stdout).toContain("json-schema-2020-12: 4 passed, 0 failed");
    expect(stdout).toContain("dns-rebinding-protection: 2 passed, 0 failed");
  } finally {
    await proxy.close();
  }
});
