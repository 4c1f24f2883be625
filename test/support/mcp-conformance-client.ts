import { createMcpClients } from "../../adapters/mcp/create-clients.ts";
import type { McpAuth, McpTarget } from "../../adapters/mcp/port.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";

/** The task that the official suite gives the client under test. */
export interface ConformanceTask {
  scenario: string;
  /** The URL of the suite's own server. */
  url: string;
  context: { client_id?: string; client_secret?: string };
}

const TIMEOUT_MS = 20_000;
/** The time limit of a call whose server waits for a person. */
const VAIN_MS = 2_000;

/** A number or a text for each argument, by its type. */
const argumentsFor = ({ properties = {} }: { properties?: Record<string, { type?: string }> }) =>
  Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type === "string" ? "text" : 1]));

/** Does the same as a sync and later runs: lists the tools, and calls each one once. */
export async function runConformanceTask({ scenario, url, context }: ConformanceTask): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const auth: McpAuth = scenario.startsWith("auth/") ? { type: "oauth", clientId, clientSecret } : { type: "none" };
  // Listens for changes, so that the client opens the standing stream if there is one.
  const target: McpTarget = { key: scenario, revision: "1", url, auth, onToolsChanged: () => undefined };
  const guard = createGuardedFetch({ allow: ["127.0.0.1/32", "::1/128", "localhost"] });
  const clients = createMcpClients({ fetch: guard });
  try {
    const { tools } = await clients.list(target, { timeoutMs: TIMEOUT_MS });
    for (const { name, inputSchema } of tools)
      await clients.call(target, name, argumentsFor(inputSchema), {
        timeoutMs: scenario.startsWith("elicitation") ? VAIN_MS : TIMEOUT_MS,
      });
  } finally {
    await clients.close();
    await guard.close();
  }
}
