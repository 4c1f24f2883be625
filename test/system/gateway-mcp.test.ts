import type { ActionContext } from "../../contracts/call.ts";
import type { Execution } from "../../contracts/entities/execution.ts";
import { AppError } from "../../contracts/errors.ts";
import {
  type Answer,
  ID,
  IDENTITY,
  OTHER_ID,
  SPACE,
  startGateway,
  type Stubs,
  type TestGateway,
  TOKEN,
  WORKSPACE,
} from "../support/gateway.ts";
import type { Json } from "../support/api.ts";
import { ACCEPT, messageOf, rpc } from "../support/mcp-client.ts";

const AT = "2026-01-01T00:00:00.000Z";
const place = {
  id: WORKSPACE,
  name: "W",
  slug: "w",
  role: "editor" as const,
  demandsFactor: false,
  createdAt: AT,
  updatedAt: AT,
};
const running: Execution = {
  id: ID,
  workspaceId: WORKSPACE,
  spaceId: SPACE,
  workflowId: OTHER_ID,
  workflowVersion: 1,
  status: "running",
  trigger: { type: "manual" },
  startedBy: IDENTITY.userId,
  error: null,
  attempt: 1,
  createdAt: AT,
  startedAt: AT,
  finishedAt: null,
  input: null,
  output: null,
};
const BASE: Stubs = {
  "workspaces.list": () => ({ items: [place], next: null }),
  "workspaces.get": () => place,
  "workflows.tools": () => ({ items: [], next: null }),
  "executions.locate": () => ({ spaceId: SPACE }),
  "executions.get": () => running,
};

const open: TestGateway[] = [];
async function gatewayOf(...given: Parameters<typeof startGateway>): Promise<TestGateway> {
  const [stubs, config] = given;
  const gateway = await startGateway({ ...BASE, ...stubs }, config);
  open.push(gateway);
  return gateway;
}
afterAll(() => Promise.all(open.map(({ broker }) => broker.stop())));

const post = (
  gateway: TestGateway,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/mcp",
): Promise<Answer> => gateway.ask("POST", path, { body, headers: { accept: ACCEPT, ...headers } });
const callOf = (name: string, args: object = {}, id = 1) => rpc("tools/call", { name, arguments: args }, id);
async function call(gateway: TestGateway, name: string, args: object = {}): Promise<Json> {
  const { text } = await post(gateway, callOf(name, args));
  return messageOf(text).result;
}
const problemIn = (result: Json): Json => JSON.parse(result.content[0].text as string);

describe("what is not a message", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await gatewayOf({}, { RATE_LIMIT_BURST: 60, RATE_LIMIT_RPS: 1 })));

  test.each([
    ["half of a document", '{"jsonrpc":', -32_700],
    ["nothing", "", -32_700],
    ["a key that is given twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32_700],
    [
      "a key that reaches for a prototype",
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":1}}',
      -32_700,
    ],
    ["a document that is too deep", `${"[".repeat(200)}${"]".repeat(200)}`, -32_700],
    ["JSON that is not JSON-RPC", { hello: "world" }, undefined],
    ["a number", "5", undefined],
    ["no messages in a batch", [], -32_600],
    ["too many messages in a batch", Array.from({ length: 21 }, (_, n) => rpc("ping", {}, n)), -32_600],
  ])("is rejected with an error of the protocol: %s", async (_, body, code) => {
    const { status, text, headers } = await post(gateway, body);
    expect(status).toBe(400);
    expect(headers.get("x-request-id")).toBeTruthy();
    const { jsonrpc, error } = JSON.parse(text);
    expect(jsonrpc).toBe("2.0");
    expect(error.code).toBe(code ?? error.code);
    expect(error.message).not.toMatch(/\bat .*\.ts|node_modules/);
  });

  test.each([
    ["a body that is too large", "x".repeat(20_000), {}, 413, "payload_too_large"],
    ["another type of body", "<a/>", { "content-type": "text/xml" }, 415, "unsupported_media_type"],
    ["a compressed body", "{}", { "content-encoding": "gzip" }, 415, "unsupported_media_type"],
  ])("is rejected with an error of the API: %s", async (_, body, headers, status, code) => {
    expect(await post(gateway, body, headers)).toMatchObject({ status, body: { code } });
  });

  test("is rejected: a client that accepts no event stream, a path below, and another method", async () => {
    expect(await post(gateway, rpc("ping"), { accept: "text/html" })).toMatchObject({ status: 406 });
    expect((await post(gateway, rpc("ping"), {}, "/mcp/not-an-id")).status).toBe(404);
    expect((await post(gateway, rpc("ping"), {}, "/mcp?x=1")).status).toBe(400);
    expect((await gateway.ask("PUT", "/mcp", { body: rpc("ping") })).status).toBe(405);
    expect(messageOf((await post(gateway, rpc("prompts/list"))).text).error.code).toBe(-32_601);
  });

  test("counts every message of a batch as a request", async () => {
    const one = Number((await post(gateway, rpc("ping"))).headers.get("ratelimit-remaining"));
    const batch = await post(gateway, [rpc("ping", {}, 1), rpc("ping", {}, 2), rpc("ping", {}, 3)]);
    expect([...batch.text.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(["1", "2", "3"]);
    expect(one - Number(batch.headers.get("ratelimit-remaining"))).toBeGreaterThanOrEqual(2);
    const many = Array.from({ length: 20 }, (_, n) => rpc("ping", {}, n));
    const last = [await post(gateway, many), await post(gateway, many), await post(gateway, many)].at(-1);
    expect(last).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("a page", () => {
  const CORS_ORIGINS = ["https://app.example.com"];
  const PUBLIC_URL = "https://weft.example.com";
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await gatewayOf({}, { CORS_ORIGINS, PUBLIC_URL })));

  test.each([
    ["of an origin that is listed", "https://app.example.com", 200],
    ["of the service's own address", "https://weft.example.com", 200],
    ["of this machine, to this machine", "http://localhost:5173", 200],
    ["of another origin", "https://evil.example.com", 403],
    ["of an origin that looks like ours", "https://weft.example.com.evil.example", 403],
    ["of no origin", "null", 403],
    ["of a file", "file://", 403],
  ])("from %s, %s, gets the status %i", async (_, origin, status) => {
    const answer = await post(gateway, rpc("ping"), { origin });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatchObject({ code: "origin_not_allowed" });
  });

  test("cannot call the gateway of this machine by another host name, as in DNS rebinding", async () => {
    const { request } = await import("node:http");
    const status = await new Promise(resolve => {
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", accept: ACCEPT };
      const from = { origin: "http://127.0.0.1:8080", host: "weft.example.com" };
      const asked = request({ port: gateway.port, path: "/mcp", method: "POST", headers: { ...headers, ...from } });
      asked.on("response", answer => resolve(answer.statusCode)).end(JSON.stringify(rpc("ping")));
    });
    expect(status).toBe(403);
  });
});

test("tells a user without a workspace, or with several, what to do", async () => {
  for (const items of [[], [place, place]]) {
    const gateway = await gatewayOf({ "workspaces.list": () => ({ items, next: null }) });
    const answer = await post(gateway, rpc("tools/list"));
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect((answer.body as Json).detail).toContain("/mcp/<workspaceId>");
  }
});

describe("tools of other servers", () => {
  const tool = { id: ID, mcpServerId: OTHER_ID, serverName: "s", name: "t", title: null, description: "", score: 1 };
  const schemas = {
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
    hash: "",
    createdAt: AT,
    updatedAt: AT,
  };
  const asked: unknown[] = [];
  let outcome: () => { content: Json[]; structuredContent?: unknown; isError: boolean };
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayOf({
      "mcp.tools.search": (params, { meta }) => {
        asked.push(params, meta.identity);
        return [{ ...tool, ...schemas }];
      },
      "mcp.tools.call": (params, ctx) => {
        asked.push(params, (ctx as unknown as ActionContext<"mcp.tools.call">).headers);
        return outcome();
      },
    });
  });
  beforeEach(() => void (asked.length = 0));

  test("are found with the caller's permissions", async () => {
    const result = await call(gateway, "find_tools", { query: "weather", limit: 3 });
    expect(result.structuredContent.tools).toMatchObject([{ id: ID, inputSchema: { type: "object" } }]);
    expect(asked).toEqual([{ workspaceId: WORKSPACE, query: "weather", limit: 3 }, IDENTITY]);
  });

  test("are called, and their answers are passed on", async () => {
    outcome = () => ({ content: [{ type: "text", text: "Rain" }], structuredContent: { sky: "grey" }, isError: false });
    expect(await call(gateway, "call_tool", { toolId: ID, arguments: { city: "Bonn" } })).toEqual({
      content: [{ type: "text", text: "Rain" }],
      structuredContent: { sky: "grey" },
    });
    expect(asked).toEqual([
      { workspaceId: WORKSPACE, toolId: ID, arguments: { city: "Bonn" } },
      { address: "127.0.0.1" },
    ]);
    outcome = () => ({ content: [{ type: "text", text: "No such city" }], isError: true });
    expect(await call(gateway, "call_tool", { toolId: ID })).toEqual({
      content: [{ type: "text", text: "No such city" }],
      isError: true,
    });
  });

  test("report rejections by the server, and hide internal errors", async () => {
    const errors = [{ path: "city", message: "is needed" }];
    outcome = () => {
      throw new AppError("validation_failed", { errors });
    };
    const refused = await call(gateway, "call_tool", { toolId: ID });
    expect(refused.isError).toBe(true);
    expect(problemIn(refused)).toMatchObject({ code: "validation_failed", status: 400, errors });
    outcome = () => {
      throw new Error("secret words at /srv/weft/services/x.ts");
    };
    const failed = await call(gateway, "call_tool", { toolId: ID });
    expect(problemIn(failed)).toMatchObject({ code: "internal_error", status: 500 });
    expect(JSON.stringify(failed)).not.toMatch(/secret|srv/);
    outcome = () => ({ content: [{ type: "no such type" }], isError: false });
    const { text } = await post(gateway, callOf("call_tool", { toolId: ID }));
    expect(messageOf(text).error.code).toBeLessThan(0);
  });
});

test("searches the newest fifty knowledge bases as one", async () => {
  let bases = 3;
  const score = (id: string) => Number(id.slice(-2)) / 100;
  const idOf = (n: number) => `01980000-0000-7000-8000-0000000000${String(n).padStart(2, "0")}`;
  const searched: string[] = [];
  const gateway = await gatewayOf({
    "knowledge.list": ({ limit }) => ({
      items: Array.from({ length: Math.min(bases, limit) }, (_, n) => ({ id: idOf(n) }) as never),
      next: bases > limit ? "more" : null,
    }),
    "knowledge.search": ({ id }) => {
      searched.push(id);
      return [{ id, content: id, score: score(id) } as never];
    },
  });
  const few = await call(gateway, "search_knowledge", { query: "x", limit: 2 });
  expect(few.structuredContent).toMatchObject({ all: true, matches: [{ id: idOf(2) }, { id: idOf(1) }] });
  bases = 60;
  const many = await call(gateway, "search_knowledge", { query: "x", limit: 1 });
  expect(many.structuredContent).toMatchObject({ all: false, matches: [{ id: idOf(49) }] });
  expect(searched).toHaveLength(53);
});

test("limits the number of workflows that are shown as tools", async () => {
  let description = "";
  const gateway = await gatewayOf({
    "workflows.tools": ({ limit, cursor = "0" }) => ({
      items: Array.from({ length: Math.min(limit, 30) }, (_, n) => ({
        name: `w_${Number(cursor) + n}`,
        workflowId: ID,
        spaceId: SPACE,
        version: 1,
        title: "W",
        description,
        inputSchema: { type: "object" },
      })),
      next: String(Number(cursor) + 30),
    }),
  });
  const namesOf = async () => {
    const { tools } = messageOf((await post(gateway, rpc("tools/list"))).text).result;
    return (tools as { name: string }[]).map(({ name }) => name).filter(name => name.startsWith("w_"));
  };
  const names = await namesOf();
  expect([names.length, new Set(names).size]).toEqual([200, 200]);
  description = "x".repeat(9_000);
  expect((await namesOf()).length).toBeLessThan(120);
});

describe("calls that wait", () => {
  test("are answered with the current state when the node stops", async () => {
    let waiting: (() => void) | undefined;
    const begun = new Promise<void>(resolve => (waiting = resolve));
    const gateway = await startGateway({
      ...BASE,
      "executions.get": () => {
        waiting?.();
        return running;
      },
    });
    const answer = post(gateway, callOf("get_execution", { executionId: ID, waitSeconds: 60 }));
    await begun;
    await gateway.broker.stop();
    const { structuredContent } = messageOf((await answer).text).result;
    expect(structuredContent).toMatchObject({ status: "running", executionId: ID });
    expect(structuredContent.next).toContain("get_execution");
  });

  test("are limited per caller", async () => {
    let count = 0;
    let full: (() => void) | undefined;
    const all = new Promise<void>(resolve => (full = resolve));
    const gateway = await startGateway({
      ...BASE,
      "executions.get": () => {
        if (++count === 100) full?.();
        return running;
      },
    });
    const waiting = Array.from({ length: 100 }, () =>
      post(gateway, callOf("get_execution", { executionId: ID, waitSeconds: 60 })),
    );
    await all;
    const refused = await post(gateway, rpc("ping"));
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    await gateway.broker.stop();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(100).fill(200));
  });

  test("hear of a run's end at once, and of its entries only on request", async () => {
    let run = running;
    let reads = 0;
    let began: (() => void) | undefined;
    const begun = new Promise<void>(resolve => (began = resolve));
    const gateway = await gatewayOf({
      "executions.get": () => {
        reads++;
        began?.();
        return run;
      },
      "executions.logs": () => {
        throw new Error("not expected to be called");
      },
    });
    // The stream's beginning comes before its first keep-alive, which is 15 seconds late.
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", accept: ACCEPT },
      body: JSON.stringify(callOf("get_execution", { executionId: ID, waitSeconds: 60 })),
      signal: AbortSignal.timeout(10_000),
    });
    await begun;
    run = { ...running, status: "completed", finishedAt: AT, output: 7 };
    void gateway.broker.broadcast("execution.appended", { executionId: ID, seq: 9 });
    expect(messageOf(await answer.text()).result.structuredContent).toMatchObject({ status: "completed", output: 7 });
    expect(reads).toBe(2);
  });
});
