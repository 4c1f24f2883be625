import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  type CallToolResult,
  createMcpHandler,
  type JSONRPCMessage,
  Server,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type McpAuthorization, type McpTestAuth, startAuthorization } from "./mcp-authorization.ts";
import { listPage, type McpPages } from "./mcp-pages.ts";

export interface McpToolCall {
  signal: AbortSignal;
  headers: Record<string, string>;
  progress: (progress: number, total?: number, message?: string) => Promise<void>;
}

/** Listed unchanged, without `run`. The official server does not check it, so a test may make it invalid. */
export type McpTestTool = Record<string, unknown> & {
  run?: (args: Record<string, unknown>, call: McpToolCall) => CallToolResult | Promise<CallToolResult>;
};

export interface McpRequest {
  http: string;
  path: string;
  headers: IncomingMessage["headers"];
  /** The method of the JSON-RPC message, if there was one. */
  rpc: string | undefined;
  body: string;
}

/** Faults that happen while they are set. `only` limits them to requests with this JSON-RPC method. */
export interface McpFaults {
  only?: string;
  /** How many requests fail. Default: all. */
  times?: number;
  /** Responds with this status and nothing else. */
  status?: number;
  /** Never responds. */
  hang?: boolean;
  /** Responds 200 with this as JSON, such as half a document or a page of a web site. */
  body?: string;
  /** Responds with an event stream that ends at once. */
  emptyStream?: boolean;
  headers?: Record<string, string>;
}

export interface McpServerOptions {
  /**
   * `modern`: only the protocol of 2026-07-28. `legacy`: the earlier ones with sessions. `both`: either, without
   * sessions. `sse`: the oldest, HTTP+SSE at `/sse`. Default: `both`.
   */
  era?: "modern" | "legacy" | "both" | "sse";
  tools?: McpTestTool[];
  auth?: McpTestAuth;
  port?: number;
  name?: string;
}

export interface McpTestServer {
  /** The URL of the MCP endpoint. */
  url: string;
  /** A test may change these at any time. */
  tools: McpTestTool[];
  faults: McpFaults;
  pages: McpPages;
  requests: McpRequest[];
  sockets: Set<Socket>;
  /** The tokens that the token endpoint issued, and its behaviour. */
  authorization: McpAuthorization | undefined;
  /** The number of open sessions of the earlier protocols. */
  sessions(): number;
  /** Forgets all sessions, like a restart. */
  forgetSessions(): void;
  /** Notifies all listeners that the list of tools changed. */
  toolsChanged(): Promise<void>;
  /** The requests with this JSON-RPC method, oldest first. */
  called(method: string): McpRequest[];
  close(): Promise<void>;
}

const words = (value: unknown): CallToolResult => ({ content: [{ type: "text", text: String(value) }] });

/**
 * `echo`, `add` (structured), `fail` (an error result) and `slow`, which reports progress and waits until it is ended.
 */
export const usualTools = (): McpTestTool[] => [
  {
    name: "echo",
    description: "Gives back the text",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text: said }) => words(said),
  },
  {
    name: "add",
    title: "Add two numbers",
    description: "Gives the sum of a and b",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    annotations: { readOnlyHint: true },
    run: ({ a, b }) => ({ ...words(Number(a) + Number(b)), structuredContent: { sum: Number(a) + Number(b) } }),
  },
  {
    name: "fail",
    description: "Fails",
    inputSchema: { type: "object" },
    run: () => ({ ...words("It did not work"), isError: true }),
  },
  {
    name: "slow",
    description: "Tells its progress and ends when it is cancelled, or after ms",
    inputSchema: { type: "object", properties: { ms: { type: "number" } } },
    run: async ({ ms }, { signal, progress }) => {
      await progress(1, 3, "begun");
      await new Promise<void>(done => {
        const timer = setTimeout(done, Number(ms ?? 60_000));
        signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
      });
      return words("done");
    },
  },
];

/** A tool server on the official package. A test can change its tools and faults while it runs. */
export async function startMcpServer(options: McpServerOptions = {}): Promise<McpTestServer> {
  const { era = "both", auth, port = 0, name = "test-tools" } = options;
  const sessions = new Map<string, { server: Server; transport: Transport & { handle?: unknown } }>();
  const hung = new Set<ServerResponse>();

  const makeServer = () => {
    const server = new Server({ name, version: "1.2.3" }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(
      "tools/list",
      ({ params }) => listPage(state.tools, state.pages, params?.cursor) as { tools: [] },
    );
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = state.tools.find(one => one.name === params.name);
      if (!tool?.run) throw new Error(`There is no tool ${params.name}`);
      const token = params._meta?.progressToken;
      return tool.run(params.arguments ?? {}, {
        signal: context.mcpReq.signal,
        headers: Object.fromEntries(context.http?.req?.headers.entries() ?? []),
        async progress(progress, total, message) {
          if (token === undefined) return;
          await context.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: token, progress, ...(total && { total }), ...(message && { message }) },
          });
        },
      });
    });
    return server;
  };
  const modern = createMcpHandler(makeServer, { legacy: era === "both" ? "stateless" : "reject", keepAliveMs: 0 });

  async function sessionful(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : sessions.get(id);
    if (known) return (known.transport as WebStandardStreamableHTTPServerTransport).handleRequest(request);
    if (id !== null) return Response.json({ error: "no such session" }, { status: 404 });
    const server = makeServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      keepAliveMs: 0,
      onsessioninitialized: made => void sessions.set(made, { server, transport }),
      onsessionclosed: ended => void sessions.delete(ended),
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  }

  async function overEvents(req: IncomingMessage, res: ServerResponse, body: string): Promise<void> {
    const url = new URL(req.url ?? "/", "http://here");
    if (req.method === "GET" && url.pathname === "/sse") {
      const id = randomUUID();
      const write = (event: string, data: string) => res.write(`event: ${event}\ndata: ${data}\n\n`);
      const transport: Transport = {
        start: () => Promise.resolve(),
        send: (message: JSONRPCMessage) => Promise.resolve(void write("message", JSON.stringify(message))),
        close: () => Promise.resolve(void res.end()),
      };
      const server = makeServer();
      await server.connect(transport);
      sessions.set(id, { server, transport });
      res.on("close", () => (sessions.delete(id), transport.onclose?.()));
      res.writeHead(200, { "content-type": "text/event-stream" });
      write("endpoint", `/message?session=${id}`);
      return;
    }
    const session = sessions.get(url.searchParams.get("session") ?? "");
    if (req.method !== "POST" || url.pathname !== "/message" || !session)
      return void res.writeHead(url.pathname === "/sse" ? 405 : 404).end();
    res.writeHead(202).end("Accepted");
    session.transport.onmessage?.(JSON.parse(body) as JSONRPCMessage);
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await text(req);
    const { pathname: path } = new URL(req.url ?? "/", "http://here");
    const rpc = /^\s*\{/.test(body) ? (JSON.parse(body) as { method?: string }).method : undefined;
    const headers = Object.fromEntries(Object.entries(req.headers).map(([key, value]) => [key, String(value)]));
    state.requests.push({ http: req.method ?? "", path, headers: req.headers, rpc, body });
    if (authorization?.answer(path, headers, body, res)) return;
    const { faults } = state;
    const faulty = faults.times !== 0 && (faults.only === undefined || faults.only === rpc);
    if (faulty && faults.times !== undefined) faults.times--;
    if (faulty && faults.hang) return void hung.add(res);
    if (faulty && faults.status !== undefined)
      return void res.writeHead(faults.status, faults.headers).end("it is broken");
    if (faulty && faults.body !== undefined)
      return void res.writeHead(200, { "content-type": "application/json", ...faults.headers }).end(faults.body);
    if (faulty && faults.emptyStream) return void res.writeHead(200, { "content-type": "text/event-stream" }).end();
    if (authorization && !authorization.admits(headers)) return authorization.challenge(res);
    if (era === "sse") return overEvents(req, res, body);
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const request = new Request(`${origin}${req.url}`, {
      method: req.method ?? "GET",
      headers,
      ...(body !== "" && { body }),
      signal: gone.signal,
    });
    const response = await (era === "legacy" ? sessionful(request) : modern.fetch(request));
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return void res.end();
    res.flushHeaders();
    Readable.fromWeb(response.body)
      .on("error", () => res.destroy())
      .pipe(res);
  }

  const sockets = new Set<Socket>();
  const http = createServer((req, res) => {
    answer(req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(500).end()));
  });
  http.on("connection", socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}${era === "sse" ? "/sse" : "/mcp"}`;
  const authorization = auth && startAuthorization(auth, url);

  const state: McpTestServer = {
    url,
    tools: options.tools ?? usualTools(),
    faults: {},
    pages: {},
    requests: [],
    sockets,
    authorization,
    sessions: () => sessions.size,
    forgetSessions: () => sessions.clear(),
    async toolsChanged() {
      modern.notify.toolsChanged();
      for (const { server } of sessions.values()) await server.sendToolListChanged();
    },
    called: method => state.requests.filter(({ rpc }) => rpc === method),
    async close() {
      await modern.close();
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
  return state;
}
