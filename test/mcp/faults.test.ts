import type { McpErrorCode } from "../../adapters/mcp/mcp-error.ts";
import type { McpProgress } from "../../adapters/mcp/port.ts";
import { mcpClients, mcpFailure, mcpServer, SHORT_LIMIT, targetOf, until } from "../support/mcp-clients.ts";
import type { McpFaults, McpServerOptions, McpTestServer } from "../support/mcp-server.ts";
import { closeAll, guard, serve } from "../support/outbound.ts";

afterEach(closeAll);

const empty = () => ({ content: [] });
const object = { type: "object" };

describe("faults of a server are reported in plain words", () => {
  const CASES: [string, McpFaults, McpErrorCode, RegExp][] = [
    ["a status of its own trouble", { status: 503 }, "mcp_unreachable", /^HOST answered with status 503$/],
    ["too many calls", { status: 429 }, "mcp_unreachable", /called too often/],
    ["no such address", { status: 404 }, "mcp_protocol", /status 404: there may be no tool server at this address/],
    ["a credential that it wants", { status: 401 }, "mcp_unauthorized", /^HOST asks for a credential \(401\)$/],
    ["a refusal", { status: 403 }, "mcp_unauthorized", /refuses access with this credential \(403\)/],
    [
      "a scope that is missing",
      { status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="files:write"' } },
      "mcp_unauthorized",
      /it asks for the scope "files:write"/,
    ],
    ["half a document", { body: '{"jsonrpc":"2.0","id":' }, "mcp_protocol", /does not answer as a tool server does/],
    [
      "a page of a web site",
      { body: "<html>", headers: { "content-type": "text/html" } },
      "mcp_protocol",
      /text\/html/,
    ],
    ["a stream without an answer", { emptyStream: true }, "mcp_unreachable", /connection ended before the answer/],
    ["silence", { hang: true }, "mcp_timeout", /took longer than/],
    ["a status that does not exist", { status: 999 }, "mcp_protocol", /unknown status 999/],
    [
      "a redirect to somewhere else",
      { status: 307, headers: { location: "http://elsewhere.example/mcp" } },
      "mcp_refused",
      /redirects to elsewhere\.example/,
    ],
  ];

  test.each(CASES)("%s", async (_, faults, code, words) => {
    const server = await mcpServer({ era: "legacy" });
    server.faults = faults;
    const failure = await mcpFailure(mcpClients().list(targetOf(server), { timeoutMs: faults.hang ? 100 : 10_000 }));
    expect(failure).toMatchObject({ code });
    expect(failure.message.replaceAll(new URL(server.url).host, "HOST")).toMatch(words);
    expect(failure.cause).toBeUndefined();
  });

  test.each(CASES.filter(([, { status }]) => status === undefined))(
    "in the middle of a session, too: %s",
    async (_, faults, code) => {
      const server = await mcpServer({ era: "modern" });
      const [clients, target] = [mcpClients(), targetOf(server)];
      await clients.list(target, SHORT_LIMIT);
      server.faults = { ...faults, only: "tools/call" };
      const call = clients.call(target, "echo", { text: "a" }, { timeoutMs: faults.hang ? 100 : 10_000 });
      expect(await mcpFailure(call)).toMatchObject({ code });
      server.faults = {};
      await expect(clients.call(target, "echo", { text: "a" }, SHORT_LIMIT)).resolves.toMatchObject({ isError: false });
    },
  );

  test("a server that does not answer, and an address that the guard rejects, are reported", async () => {
    const server = await mcpServer();
    await server.close();
    expect(await mcpFailure(mcpClients().list(targetOf(server), SHORT_LIMIT))).toMatchObject({
      code: "mcp_unreachable",
      message: expect.stringMatching(/^The call to 127\.0\.0\.1:\d+ failed \(ECONNREFUSED\)$/),
    });
    const strict = mcpClients({ fetch: guard({ allow: [] }) });
    expect(await mcpFailure(strict.list(targetOf(server), SHORT_LIMIT))).toMatchObject({
      code: "mcp_refused",
      message: expect.stringContaining(
        '"127.0.0.1" is a loopback address, which may not be called unless OUTBOUND_ALLOW',
      ),
    });
    expect(await mcpFailure(strict.list(targetOf({ url: "no url" }), SHORT_LIMIT))).toMatchObject({
      code: "mcp_refused",
    });
    expect(await mcpFailure(strict.list(targetOf({ url: "file:///etc/passwd" }), SHORT_LIMIT))).toMatchObject({
      code: "mcp_refused",
    });
  });
});

test("a server that fails at an unknown request is used with an earlier protocol", async () => {
  const server = await mcpServer({ era: "legacy" });
  server.faults = { only: "server/discover", status: 500 };
  expect((await mcpClients().list(targetOf(server), SHORT_LIMIT)).protocolVersion).toBe("2025-11-25");
});

describe("limits", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `tool_${i}`, inputSchema: object }));

  test("pages are read to the end, and a listing that repeats its cursor is cut off", async () => {
    const server = await mcpServer({ era: "modern", tools: many(25) });
    const list = () => mcpClients().list(targetOf(server), SHORT_LIMIT);
    server.pages = { size: 10 };
    expect((await list()).tools).toHaveLength(25);
    expect(server.called("tools/list")).toHaveLength(3);
    server.pages = { repeated: true };
    expect(await list()).toMatchObject({
      tools: { length: 25 },
      dropped: expect.arrayContaining([{ name: "(the rest)", reason: "a page of the list leads back to itself" }]),
    });
    server.pages = { endless: true };
    const { tools, dropped } = await list();
    expect(tools).toHaveLength(101);
    expect(dropped).toEqual([{ name: "(the rest)", reason: "only 100 pages are read" }]);
  });

  test("a thousand tools are kept, and the rest is reported", async () => {
    const { tools, dropped } = await mcpClients().list(targetOf(await mcpServer({ tools: many(1_100) })), SHORT_LIMIT);
    expect(tools).toHaveLength(1_000);
    expect(dropped).toEqual([{ name: "(the rest)", reason: "only the first 1000 tools are taken" }]);
  });

  test("a result above one megabyte, or nested too deeply, fails only its call", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 150; level++) deep = [deep];
    const server = await mcpServer({
      tools: [
        {
          name: "large",
          inputSchema: object,
          run: () => ({ content: [{ type: "text", text: "x".repeat(1_100_000) }] }),
        },
        {
          name: "larger",
          inputSchema: object,
          run: () => ({ content: [{ type: "text", text: "x".repeat(5_000_000) }] }),
        },
        { name: "deep", inputSchema: object, run: () => ({ content: [], structuredContent: { deep } }) },
        { name: "fine", inputSchema: object, run: empty },
      ],
    });
    const [clients, target] = [mcpClients(), targetOf(server)];
    const messages = [];
    for (const tool of ["large", "larger", "deep"]) {
      const { code, message } = await mcpFailure(clients.call(target, tool, {}, SHORT_LIMIT));
      expect(code).toBe("mcp_call_failed");
      messages.push(message);
    }
    expect(messages).toEqual([
      "The result of the tool is larger than 1048576 bytes",
      expect.stringMatching(/The answer is larger than 4194304 bytes$/),
      "The result of the tool is nested deeper than 100",
    ]);
    await expect(clients.call(target, "fine", {}, SHORT_LIMIT)).resolves.toEqual({ content: [], isError: false });
  });

  test("an event that never ends fails before it fills memory", async () => {
    const { url, sockets } = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => response.write(`data: ${"x".repeat(500_000)}`, error => error ?? more());
      more();
    });
    expect(await mcpFailure(mcpClients().list(targetOf({ url }), SHORT_LIMIT))).toMatchObject({
      code: "mcp_unreachable",
    });
    await until(() => [...sockets].every(socket => socket.destroyed));
  });

  test("a result that does not match the tool's output schema fails the call", async () => {
    const clients = mcpClients({
      checks: {
        prove: () => ({ faults: [] }),
        check: (_, data) => ({
          faults: (data as { sum?: number }).sum === 3 ? [] : [{ path: "/data/sum", message: "is wrong" }],
        }),
      },
    });
    const target = targetOf(await mcpServer());
    const options = { ...SHORT_LIMIT, outputSchema: { type: "object" } };
    await expect(clients.call(target, "add", { a: 1, b: 2 }, options)).resolves.toMatchObject({ isError: false });
    expect(await mcpFailure(clients.call(target, "add", { a: 1, b: 3 }, options))).toMatchObject({
      code: "mcp_call_failed",
      message: "The result of the tool is not what its output schema says: /data/sum: is wrong",
    });
    expect(await mcpFailure(clients.call(target, "echo", { text: "a" }, options))).toMatchObject({
      code: "mcp_call_failed",
    });
  });
});

describe("credentials", () => {
  const SECRET = 'a-secret"token\\0123456789';
  const tellsAll: McpServerOptions["tools"] = [
    {
      name: "headers",
      description: `Knows ${SECRET}`,
      inputSchema: object,
      run: (_, { headers }) => ({
        content: [{ type: "text", text: JSON.stringify(headers) }],
        structuredContent: { headers },
      }),
    },
    {
      name: "refuses",
      inputSchema: object,
      run: (_, { headers }) => {
        throw new Error(`${headers.authorization ?? headers["x-api-key"]} is not good enough`);
      },
    },
    {
      name: "progress",
      inputSchema: object,
      async run(_, { headers, progress }) {
        await progress(1, 2, JSON.stringify(headers));
        return { content: [] };
      },
    },
    // It cannot be used, and is named for it.
    { name: SECRET, inputSchema: { type: "array" } },
  ];

  test.each([
    [{ type: "bearer", token: SECRET } as const, "authorization", `Bearer ${SECRET}`],
    [{ type: "api_key", key: SECRET } as const, "x-api-key", SECRET],
  ])("are sent in the stated place, and no answer or error repeats them: %j", async (auth, header, value) => {
    const server = await mcpServer({ auth, tools: tellsAll ?? [] });
    const [clients, target] = [mcpClients(), targetOf(server, { auth })];
    const said: McpProgress[] = [];
    const onProgress = (progress: McpProgress) => void said.push(progress);
    const answers = [
      await clients.list(target, SHORT_LIMIT),
      await clients.call(target, "progress", {}, { ...SHORT_LIMIT, onProgress }),
      said,
      await clients.call(target, "headers", {}, SHORT_LIMIT),
      await mcpFailure(clients.call(target, "refuses", {}, SHORT_LIMIT)),
    ];
    expect(server.requests.every(({ headers }) => headers[header] === value)).toBe(true);
    const text = answers.map(answer => (answer instanceof Error ? answer.stack : JSON.stringify(answer))).join("\n");
    expect(text).toContain("•••");
    expect(said).toHaveLength(1);
    expect(text).not.toContain("a-secret");
    server.faults = { status: 401 };
    expect(await mcpFailure(clients.list(target, SHORT_LIMIT))).toMatchObject({
      code: "mcp_unauthorized",
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ refused the credential \(401\)$/),
    });
  });

  test("are sent to the server's origin only", async () => {
    const other = await serve((_, response) => void response.writeHead(200).end());
    const leads = async (location: string) => {
      const server: McpTestServer = await mcpServer();
      server.faults = { status: 307, headers: { location } };
      return mcpFailure(mcpClients().list(targetOf(server, { auth: { type: "bearer", token: SECRET } }), SHORT_LIMIT));
    };
    expect(await leads(other.url)).toMatchObject({ code: "mcp_refused" });
    const sse = await serve(({ method }, response) => {
      if (method !== "GET") return void response.writeHead(405).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${other.url}/message\n\n`);
    });
    const strays = mcpClients().list(targetOf(sse, { auth: { type: "bearer", token: SECRET } }), SHORT_LIMIT);
    await mcpFailure(strays);
    expect(sse.seen.some(({ method }) => method === "GET")).toBe(true);
    expect(other.seen).toHaveLength(0);
  });
});

test("no request bypasses the guard through the global fetch", async () => {
  const fetch = jest.spyOn(globalThis, "fetch");
  const auth = { type: "oauth", clientId: "weft", clientSecret: "the-secret-of-weft" } as const;
  const server = await mcpServer({ era: "legacy", auth });
  await mcpClients().list(targetOf(server, { auth, onToolsChanged: () => undefined }), SHORT_LIMIT);
  await mcpClients().list(targetOf(await mcpServer({ era: "sse" })), SHORT_LIMIT);
  expect(fetch).not.toHaveBeenCalled();
  fetch.mockRestore();
});
