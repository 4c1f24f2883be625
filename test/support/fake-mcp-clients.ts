import type {
  McpCallOptions,
  McpCallResult,
  McpClients,
  McpListing,
  McpTarget,
  McpToolDefinition,
} from "../../adapters/mcp/port.ts";
import { McpError, type McpErrorCode } from "../../adapters/mcp/mcp-error.ts";

/** The state of the fake server at one URL. */
export interface FakeServer {
  tools: McpToolDefinition[];
  dropped?: McpListing["dropped"];
  /** The error of lists and calls, if they should fail. */
  failure?: { code: McpErrorCode; message: string } | undefined;
  /** Rejects if the credential is not sufficient. */
  admit?: (target: McpTarget) => Promise<void>;
  /** Awaited before each response to a list request. */
  before?: () => Promise<void>;
  call?: (tool: string, args: Record<string, unknown>, options: McpCallOptions) => Promise<McpCallResult>;
}

export interface FakeCall {
  target: McpTarget;
  tool: string;
  args: Record<string, unknown>;
  options: McpCallOptions;
}

export const fakeTool = (name: string, more: Partial<McpToolDefinition> = {}): McpToolDefinition => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object" },
  ...more,
});

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new McpError("mcp_aborted", "The call was given up"));
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return Promise.race([work, promise]).finally(() => signal?.removeEventListener("abort", abort));
}

/** Fake tool servers by URL, without a network, for tests of the code above the client. */
export class FakeMcpClients implements McpClients {
  readonly servers = new Map<string, FakeServer>();
  /** The targets that were listed, in order. */
  readonly listed: McpTarget[] = [];
  readonly calls: FakeCall[] = [];
  readonly forgotten: string[] = [];

  #find(url: string): FakeServer {
    const server = this.servers.get(url);
    if (!server) throw new McpError("mcp_unreachable", "There is nothing at this address");
    if (server.failure) throw new McpError(server.failure.code, server.failure.message);
    return server;
  }

  async list(target: McpTarget, { signal }: { signal?: AbortSignal | undefined }): Promise<McpListing> {
    this.listed.push(target);
    await orAborted(Promise.resolve(this.servers.get(target.url)?.before?.()), signal);
    const { tools, dropped = [], admit } = this.#find(target.url);
    await admit?.(target);
    const about = { server: { name: "fake", version: "1" }, protocolVersion: "2026-07-28" };
    return { tools: structuredClone(tools), dropped, ...about, transport: "streamable-http" };
  }

  async call(target: McpTarget, tool: string, args: Record<string, unknown>, options: McpCallOptions) {
    this.calls.push({ target, tool, args, options });
    const { call, admit } = this.#find(target.url);
    await admit?.(target);
    return orAborted(call?.(tool, args, options) ?? Promise.resolve({ content: [], isError: false }), options.signal);
  }

  forget(key: string): Promise<void> {
    this.forgotten.push(key);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
