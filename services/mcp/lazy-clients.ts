import type { McpClients } from "../../adapters/mcp/port.ts";

/** Clients that are opened at their first use. Their libraries need memory, which a node without tools saves. */
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
