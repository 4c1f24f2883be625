import type { McpClients } from "../../adapters/mcp/port.ts";

/** Clients that are opened with their first use: what they are made of takes memory that a node without tools can spare. */
export function lazyClients(open: () => Promise<McpClients>): McpClients {
  let opened: Promise<McpClients> | undefined;
  const clients = () => (opened ??= open());
  return {
    list: async (...args) => (await clients()).list(...args),
    call: async (...args) => (await clients()).call(...args),
    forget: async key => (await opened)?.forget(key),
    close: async () => (await opened)?.close(),
  };
}
