import { mcpClients, mcpFailure, mcpServer, SHORT_LIMIT, targetOf, until, input } from "../support/mcp-clients.ts";
import { closeAll } from "../support/outbound.ts";

afterEach(closeAll);

const echo = { text: "a" };

test("a session serves many calls, and is deleted at the server when it is idle", async () => {
  const server = await mcpServer({ era: "legacy" });
  const [clients, target] = [mcpClients({ idleMs: 20 }), targetOf(server)];
  await Promise.all([clients.list(target, SHORT_LIMIT), clients.call(target, "echo", echo, SHORT_LIMIT)]);
  await clients.call(target, "echo", echo, SHORT_LIMIT);
  expect(server.called("initialize")).toHaveLength(1);
  await until(() => server.sessions() === 0);
  expect(server.requests.at(-1)?.http).toBe("DELETE");
  await clients.list(target, SHORT_LIMIT);
  expect(server.called("initialize")).toHaveLength(2);
});

test("a session that the server has lost is reopened once, without an error", async () => {
  const server = await mcpServer({ era: "legacy" });
  const [clients, target] = [mcpClients(), targetOf(server)];
  await clients.list(target, SHORT_LIMIT);
  server.forgetSessions();
  await expect(clients.call(target, "echo", echo, SHORT_LIMIT)).resolves.toMatchObject({ isError: false });
  expect(server.called("initialize")).toHaveLength(2);
  expect(server.called("tools/call")).toHaveLength(2);
  server.faults = { only: "tools/call", status: 404 };
  expect(await mcpFailure(clients.call(target, "echo", echo, SHORT_LIMIT))).toMatchObject({ code: "mcp_protocol" });
  expect(server.called("initialize")).toHaveLength(3);
});

test("after a server restart, listings use a new session, and a call that may have run is not repeated", async () => {
  const server = await mcpServer({ era: "legacy" });
  const [clients, target] = [mcpClients(), targetOf(server)];
  await clients.list(target, SHORT_LIMIT);
  server.faults = { only: "tools/call", emptyStream: true };
  expect(await mcpFailure(clients.call(target, "echo", echo, SHORT_LIMIT))).toMatchObject({ code: "mcp_unreachable" });
  expect(server.called("tools/call")).toHaveLength(1);
  server.faults = { only: "tools/list", emptyStream: true, times: 1 };
  await clients.call(target, "echo", echo, SHORT_LIMIT);
  await expect(clients.list(target, SHORT_LIMIT)).resolves.toMatchObject({ tools: { length: 4 } });
  expect(server.called("tools/list")).toHaveLength(3);
});

test("a new revision of a target replaces its session", async () => {
  const server = await mcpServer({ era: "legacy" });
  const clients = mcpClients();
  await clients.list(targetOf(server), SHORT_LIMIT);
  await clients.list(targetOf(server, { revision: "2" }), SHORT_LIMIT);
  expect(server.called("initialize")).toHaveLength(2);
  await until(() => server.sessions() === 1);
});

test("the least recently used idle session is closed when the limit is reached", async () => {
  const servers = await Promise.all([1, 2, 3].map(() => mcpServer({ era: "legacy" })));
  const clients = mcpClients({ maxSessions: 2 });
  const [a, b, c] = servers.map(server => targetOf(server));
  for (const target of [a!, b!, a!, c!]) await clients.list(target, SHORT_LIMIT);
  await until(() => servers[1]?.sessions() === 0);
  expect(servers.map(server => server.sessions())).toEqual([1, 0, 1]);
});

test("when all sessions are busy, a call waits for a limited time, then fails", async () => {
  const begun = input();
  const busy = await mcpServer({
    era: "modern",
    tools: [
      {
        name: "hold",
        inputSchema: { type: "object" },
        run: async (_, { signal }) => {
          begun.resolve();
          await new Promise<void>(done => signal.addEventListener("abort", () => done(), { once: true }));
          return { content: [] };
        },
      },
    ],
  });
  const other = await mcpServer();
  const clients = mcpClients({ maxSessions: 1, maxCallsPerSession: 1, maxWaiting: 1, busyWaitMs: 100 });
  const stop = new AbortController();
  const held = mcpFailure(clients.call(targetOf(busy), "hold", {}, { ...SHORT_LIMIT, signal: stop.signal }));
  await begun.promise;
  const waiting = mcpFailure(clients.list(targetOf(other), SHORT_LIMIT));
  expect(await mcpFailure(clients.list(targetOf(busy), SHORT_LIMIT))).toMatchObject({ code: "mcp_busy" });
  expect(await waiting).toMatchObject({ code: "mcp_busy" });
  const patient = clients.list(targetOf(other), SHORT_LIMIT);
  stop.abort();
  expect(await held).toMatchObject({ code: "mcp_aborted" });
  await expect(patient).resolves.toMatchObject({ tools: { length: 4 } });
});

test.each(["legacy", "sse"] as const)("forgetting a server of the era %s ends its calls in progress", async era => {
  const server = await mcpServer({ era });
  const [clients, target] = [mcpClients(), targetOf(server)];
  const begun = input();
  const call = mcpFailure(clients.call(target, "slow", {}, { ...SHORT_LIMIT, onProgress: () => begun.resolve() }));
  await begun.promise;
  await clients.forget(target.key);
  expect(await call).toMatchObject({ code: "mcp_aborted", message: "The server was changed or removed" });
  await until(() => server.sessions() === 0);
});

test("a call that is cancelled or times out before its start is never sent", async () => {
  const server = await mcpServer();
  const signal = AbortSignal.abort();
  expect(await mcpFailure(mcpClients().list(targetOf(server), { ...SHORT_LIMIT, signal }))).toMatchObject({
    code: "mcp_aborted",
  });
  server.faults = { hang: true };
  const clients = mcpClients();
  expect(await mcpFailure(clients.list(targetOf(server), { timeoutMs: 30 }))).toMatchObject({ code: "mcp_timeout" });
  await until(() => server.sockets.size === 0);
  server.faults = {};
  await expect(clients.list(targetOf(server), SHORT_LIMIT)).resolves.toMatchObject({ tools: { length: 4 } });
});

test("closing ends all calls, and later calls are rejected", async () => {
  const server = await mcpServer({ era: "legacy" });
  const [clients, target] = [mcpClients(), targetOf(server)];
  const begun = input();
  const call = mcpFailure(clients.call(target, "slow", {}, { ...SHORT_LIMIT, onProgress: () => begun.resolve() }));
  await begun.promise;
  await clients.close();
  expect(await call).toMatchObject({ code: "mcp_aborted", message: "The service is stopping" });
  expect(await mcpFailure(clients.list(target, SHORT_LIMIT))).toMatchObject({ code: "mcp_aborted" });
  expect(server.sessions()).toBe(0);
});

test("a thousand syncs leak no session, timer or socket", async () => {
  const servers = await Promise.all(
    (["modern", "legacy", "sse", "both"] as const).map(era => mcpServer({ era, tools: [] })),
  );
  const held = () =>
    process.getActiveResourcesInfo().filter(name => name === "Timeout" || name === "TCPSocketWrap").length;
  const before = held();
  const clients = mcpClients({ maxSessions: 3, listeningIdleMs: 10, idleMs: 10 });
  for (let i = 0; i < 100; i++) {
    const server = servers[i % servers.length]!;
    const target = targetOf(server, { key: `server ${i % 50}`, onToolsChanged: () => undefined });
    await Promise.all(Array.from({ length: 10 }, () => clients.list(target, SHORT_LIMIT)));
  }
  expect(servers.flatMap(server => server.called("tools/list"))).toHaveLength(1_000);
  for (const server of servers) await until(() => server.sessions() === 0);
  await clients.close();
  await closeAll();
  for (const server of servers) await until(() => server.sockets.size === 0);
  await until(() => held() <= before);
});
