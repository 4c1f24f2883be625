import { createMcpClients, type McpClientsOptions } from "../../adapters/mcp/create-clients.ts";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import type { McpClients, McpTarget } from "../../adapters/mcp/port.ts";
import { type McpServerOptions, type McpTestServer, startMcpServer } from "./mcp-server.ts";
import { closers, guard } from "./outbound.ts";

/** Clients with an outbound guard that allows loopback. `closeAll` of support/outbound closes both. */
export function mcpClients(options: Partial<McpClientsOptions> = {}): McpClients {
  const clients = createMcpClients({ fetch: guard(), ...options });
  closers.push(() => clients.close());
  return clients;
}

export async function mcpServer(options: McpServerOptions = {}): Promise<McpTestServer> {
  const server = await startMcpServer(options);
  closers.push(() => server.close());
  return server;
}

export const targetOf = ({ url }: { url: string }, more: Partial<McpTarget> = {}): McpTarget => ({
  key: url,
  revision: "1",
  url,
  auth: { type: "none" },
  ...more,
});

export { until } from "./until.ts";

export const SHORT_LIMIT = { timeoutMs: 20_000 };

export async function mcpFailure(promise: Promise<unknown>): Promise<McpError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof McpError) return error;
  throw new Error(`expected an McpError, got ${String(error)}`);
}

/** A promise that a test waits for, and the function that fulfils it. */
export function input<T = void>() {
  return Promise.withResolvers<T>();
}
