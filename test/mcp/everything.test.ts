import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { mcpClients, mcpFailure, SHORT_LIMIT, targetOf } from "../support/mcp-clients.ts";
import type { McpProgress } from "../../adapters/mcp/port.ts";
import { closeAll } from "../support/outbound.ts";

const PROGRAM = join(__dirname, "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The official example server as a process of its own. It says on its error output when it listens. */
async function startEverything(transport: string): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, transport], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Read to the end: the server writes there all the time, and dies when it cannot.
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.once("exit", () => reject(new Error(`The server ended: ${said}`)));
    child.stderr.on("data", chunk => {
      said += String(chunk);
      if (/(listening|running) on port/.test(said)) resolve();
    });
  });
  return { port, process: child };
}

describe.each([
  ["streamableHttp", "/mcp", "streamable-http"],
  ["sse", "/sse", "sse"],
])("the official example server over %s", (name, path, transport) => {
  let running: Awaited<ReturnType<typeof startEverything>>;
  const target = () => targetOf({ url: `http://127.0.0.1:${running.port}${path}` });

  beforeAll(async () => {
    running = await startEverything(name);
  });
  afterEach(closeAll);
  afterAll(async () => {
    const ended = once(running.process, "exit");
    running.process.kill("SIGKILL");
    await ended;
  });

  test("lists all of its tools, and none is dropped", async () => {
    const listing = await mcpClients().list(target(), SHORT_LIMIT);
    expect(listing).toMatchObject({ transport, protocolVersion: "2025-11-25", dropped: [] });
    expect(listing.tools.map(tool => tool.name)).toEqual(
      expect.arrayContaining(["echo", "get-sum", "get-structured-content", "trigger-long-running-operation"]),
    );
    expect(listing.tools.every(({ inputSchema }) => inputSchema.type === "object")).toBe(true);
  });

  test("returns text, images, structured content and errors of its tools", async () => {
    const clients = mcpClients();
    const call = (tool: string, args: Record<string, unknown>) => clients.call(target(), tool, args, SHORT_LIMIT);
    await expect(call("echo", { message: "hello" })).resolves.toEqual({
      content: [{ type: "text", text: "Echo: hello" }],
      isError: false,
    });
    expect((await call("get-tiny-image", {})).content).toContainEqual(
      expect.objectContaining({ mimeType: "image/png" }),
    );
    expect((await call("get-structured-content", { location: "New York" })).structuredContent).toMatchObject({
      temperature: expect.any(Number),
    });
    expect(await call("get-sum", { a: "one", b: 2 })).toMatchObject({ isError: true });
  });

  test("reports progress, and ends a call that is cancelled", async () => {
    const clients = mcpClients();
    const seen: McpProgress[] = [];
    const args = { duration: 0.2, steps: 2 };
    const long = "trigger-long-running-operation";
    await clients.call(target(), long, args, { ...SHORT_LIMIT, onProgress: progress => void seen.push(progress) });
    expect(seen).toEqual([
      expect.objectContaining({ progress: 1, total: 2 }),
      expect.objectContaining({ progress: 2, total: 2 }),
    ]);
    const stop = new AbortController();
    const stopped = clients.call(
      target(),
      long,
      { duration: 60, steps: 600 },
      {
        ...SHORT_LIMIT,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      },
    );
    expect(await mcpFailure(stopped)).toMatchObject({ code: "mcp_aborted" });
    await expect(clients.call(target(), "echo", { message: "on" }, SHORT_LIMIT)).resolves.toMatchObject({
      isError: false,
    });
  });
});
