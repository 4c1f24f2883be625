import type { McpProgress } from "../../adapters/mcp/port.ts";
import { input, mcpClients, mcpFailure, mcpServer, SHORT_LIMIT, targetOf, until } from "../support/mcp-clients.ts";
import type { McpServerOptions } from "../support/mcp-server.ts";
import { closeAll } from "../support/outbound.ts";

afterEach(closeAll);

const ERAS: [NonNullable<McpServerOptions["era"]>, string, string][] = [
  ["modern", "2026-07-28", "streamable-http"],
  ["legacy", "2025-11-25", "streamable-http"],
  ["sse", "2025-11-25", "sse"],
];

describe.each(ERAS)("a server of the era %s", (era, protocolVersion, transport) => {
  test("lists its tools, and identifies itself", async () => {
    const server = await mcpServer({ era });
    const listing = await mcpClients().list(targetOf(server), SHORT_LIMIT);
    expect(listing).toMatchObject({
      protocolVersion,
      transport,
      server: { name: "test-tools", version: "1.2.3" },
      dropped: [],
    });
    expect(listing.tools.map(({ name }) => name)).toEqual(["echo", "add", "fail", "slow"]);
    expect(listing.tools[1]).toEqual({
      name: "add",
      title: "Add two numbers",
      description: "Gives the sum of a and b",
      inputSchema: expect.objectContaining({ required: ["a", "b"] }),
      outputSchema: expect.objectContaining({ required: ["sum"] }),
      annotations: { readOnlyHint: true },
    });
  });

  test("returns the results and errors of tools", async () => {
    const target = targetOf(await mcpServer({ era }));
    const clients = mcpClients();
    await expect(clients.call(target, "add", { a: 1, b: 2 }, SHORT_LIMIT)).resolves.toEqual({
      content: [{ type: "text", text: "3" }],
      structuredContent: { sum: 3 },
      isError: false,
    });
    await expect(clients.call(target, "fail", {}, SHORT_LIMIT)).resolves.toMatchObject({
      content: [{ type: "text", text: "It did not work" }],
      isError: true,
    });
    const { code, message } = await mcpFailure(clients.call(target, "nobody", {}, SHORT_LIMIT));
    expect(code).toBe("mcp_call_failed");
    expect(message).toMatch(/^127\.0\.0\.1:\d+ refused the call: There is no tool nobody$/);
  });

  test("forwards progress to the caller and a cancellation to the tool", async () => {
    const ended = input();
    const server = await mcpServer({
      era,
      tools: [
        {
          name: "slow",
          inputSchema: { type: "object" },
          run: async (_, { signal, progress }) => {
            await progress(1, 3, "begun");
            await new Promise<void>(done => signal.addEventListener("abort", () => done(), { once: true }));
            ended.resolve();
            return { content: [] };
          },
        },
      ],
    });
    const stop = new AbortController();
    const seen: McpProgress[] = [];
    const call = mcpClients().call(
      targetOf(server),
      "slow",
      {},
      {
        ...SHORT_LIMIT,
        signal: stop.signal,
        onProgress: progress => {
          seen.push(progress);
          stop.abort();
        },
      },
    );
    expect(await mcpFailure(call)).toMatchObject({ code: "mcp_aborted" });
    await ended.promise;
    expect(seen).toEqual([{ progress: 1, total: 3, message: "begun" }]);
    // The newest protocol closes the stream of the request instead.
    expect(server.called("notifications/cancelled")).toHaveLength(era === "modern" ? 0 : 1);
  });

  test("is told to stop a call that timed out, and serves the next call", async () => {
    const server = await mcpServer({ era });
    const [clients, target] = [mcpClients(), targetOf(server)];
    await clients.list(target, SHORT_LIMIT);
    const { code, message } = await mcpFailure(clients.call(target, "slow", {}, { timeoutMs: 50 }));
    expect(code).toBe("mcp_timeout");
    expect(message).toContain("took longer than 50 ms");
    if (era !== "modern") await until(() => server.called("notifications/cancelled").length === 1);
    await expect(clients.call(target, "echo", { text: "on" }, SHORT_LIMIT)).resolves.toMatchObject({ isError: false });
  });

  test("notifies the client that its tools changed", async () => {
    const server = await mcpServer({ era });
    const changed = input();
    const target = targetOf(server, { onToolsChanged: () => changed.resolve() });
    const clients = mcpClients();
    await clients.list(target, SHORT_LIMIT);
    await until(
      () => era === "sse" || server.requests.some(({ rpc, http }) => rpc === "subscriptions/listen" || http === "GET"),
    );
    server.tools.pop();
    await server.toolsChanged();
    await changed.promise;
    expect((await clients.list(target, SHORT_LIMIT)).tools).toHaveLength(3);
  });

  test("an invalid tool is dropped with a reason, and the others are kept", async () => {
    const object = { type: "object" };
    const server = await mcpServer({
      era,
      tools: [
        { name: "good", inputSchema: object, annotations: { readOnlyHint: true, more: "x".repeat(9) }, icons: "none" },
        { inputSchema: object },
        { name: "n".repeat(129), inputSchema: object },
        { name: "good", inputSchema: object, description: "again" },
        { name: "text", inputSchema: "none" },
        { name: "list", inputSchema: { type: "array" } },
        { name: "large", inputSchema: { ...object, description: "x".repeat(70_000) } },
        { name: "deep", inputSchema: { ...object, properties: nested(40) } },
        { name: "output", inputSchema: object, outputSchema: [] },
        { name: "pattern", inputSchema: { ...object, properties: { a: { pattern: "(" } } } },
        { name: "wordy", inputSchema: object, title: "t".repeat(300), description: "d".repeat(5_000) },
      ],
    });
    const prove = (schema: unknown) =>
      JSON.stringify(schema).includes("pattern") ? { broken: "Unterminated group" } : { faults: [] };
    const { tools, dropped } = await mcpClients({ checks: { prove, check: () => ({ faults: [] }) } }).list(
      targetOf(server),
      SHORT_LIMIT,
    );
    expect(tools.map(({ name, description, title }) => [name, description.length, title?.length])).toEqual([
      ["good", 0, undefined],
      ["wordy", 4_000, 200],
    ]);
    expect(tools[0]?.annotations).toEqual({ readOnlyHint: true });
    expect(dropped.map(({ name, reason }) => `${name.slice(0, 20)}: ${reason}`)).toEqual([
      "(without a name): it has no name",
      "nnnnnnnnnnnnnnnnnnnn: its name has more than 128 characters",
      "good: another tool before it has the same name",
      "text: its input schema does not describe an object",
      "list: its input schema does not describe an object",
      "large: its input schema has more than 65536 characters",
      "deep: its input schema is nested deeper than 32",
      "output: its output schema is not an object",
      "pattern: its input schema cannot be used: Unterminated group",
    ]);
  });
});

const nested = (levels: number): unknown => (levels === 0 ? true : { not: nested(levels - 1) });

test("a server of both protocols is used with the newest one, without a session", async () => {
  const server = await mcpServer({ era: "both" });
  const { protocolVersion } = await mcpClients().list(targetOf(server), SHORT_LIMIT);
  expect(protocolVersion).toBe("2026-07-28");
  expect(server.requests.map(({ rpc }) => rpc)).toEqual(["server/discover", "tools/list"]);
});

test("the protocol of a server is remembered until its address changes", async () => {
  const server = await mcpServer({ era: "sse" });
  const clients = mcpClients({ idleMs: 1 });
  const lists = async (revision: string) => {
    server.requests.length = 0;
    await clients.list(targetOf(server, { revision }), SHORT_LIMIT);
    await until(() => server.sessions() === 0);
    return server.requests.map(({ http, rpc }) => rpc ?? http).slice(0, 4);
  };
  expect(await lists("1")).toEqual(["server/discover", "initialize", "GET", "initialize"]);
  expect(await lists("1")).toEqual(["GET", "initialize", "notifications/initialized", "tools/list"]);
  expect(await lists("2")).toEqual(["server/discover", "initialize", "GET", "initialize"]);
});

test("a server that now supports Streamable HTTP is used with it, although an older protocol was remembered", async () => {
  const old = await mcpServer({ era: "sse" });
  const clients = mcpClients({ idleMs: 1 });
  const target = targetOf(old);
  await clients.list(target, SHORT_LIMIT);
  await until(() => old.sessions() === 0);
  await old.close();
  const next = await mcpServer({ era: "modern", port: Number(new URL(old.url).port) });
  const listing = await clients.list({ ...target, url: old.url.replace("/sse", "/mcp") }, SHORT_LIMIT);
  expect(listing.transport).toBe("streamable-http");
  expect(next.called("tools/list")).toHaveLength(1);
});

test("arguments are sent as headers when a tool of the newest protocol declares them so", async () => {
  const server = await mcpServer({ era: "modern" });
  server.tools.push({
    name: "routed",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    run: ({ region }) => ({ content: [{ type: "text", text: String(region) }] }),
  });
  server.tools.push({
    name: "misrouted",
    inputSchema: { type: "object", properties: { region: { type: "object", "x-mcp-header": "Region" } } },
  });
  const [clients, target] = [mcpClients(), targetOf(server)];
  const { dropped } = await clients.list(target, SHORT_LIMIT);
  expect(dropped).toEqual([
    { name: "misrouted", reason: "a header parameter is neither text, an integer nor true or false" },
  ]);
  await clients.call(target, "routed", { region: "north" }, SHORT_LIMIT);
  expect(server.called("tools/call")[0]?.headers["mcp-param-region"]).toBe("north");
});
