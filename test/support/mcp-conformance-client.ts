import { createMcpClients } from "../../adapters/mcp/create-clients.ts";
import type { McpAuth, McpTarget } from "../../adapters/mcp/port.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";

/** What the official suite tells the client under test. */
export interface ConformanceTask {
  scenario: string;
  /** Of the suite's own server. */
  url: string;
  context: { client_id?: string; client_secret?: string };
}

const TIMEOUT_MS = 20_000;
/** Of a call whose server waits for a person. */
const VAIN_MS = 2_000;

/** A number or a text, as each argument wants it. */
const argumentsFor = ({ properties = {} }: { properties?: Record<string, { type?: string }> }) =>
  Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type === "string" ? "text" : 1]));

/** Does what a sync and the runs after it do: lists the tools, and calls each once. */
export async function runConformanceTask({ scenario, url, context }: ConformanceTask): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const auth: McpAuth = scenario.startsWith("auth/") ? { type: "oauth", clientId, clientSecret } : { type: "none" };
  // Changes are heard of, so that the standing stream is opened where there is one.
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
