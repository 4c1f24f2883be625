import type { ActionName } from "./actions.ts";
import { ROUTES } from "./routes.ts";

const INTERNAL: readonly ActionName[] = [
  "credentials.open",
  "executions.locate",
  "idempotency.answered",
  "identity.userByEmail",
  "identity.users",
  "identity.verify",
  "knowledge.retrieve",
  "mcp.tools.describe",
  "mcp.tools.find",
  "memory.searchState",
  "memory.steps.search",
  "models.describe",
  "pods.spaces.exists",
  "webhooks.verify",
  "workflows.runnable",
  "workflows.snapshot",
  "workflows.states",
  "workflows.usingCredentials",
  "workflows.usingTools",
  "workspaces.recipients",
  "workspaces.roleOf",
];

/** Actions that change nothing. When a node dies and its answer is lost, they can safely be called again. */
export const READS: ReadonlySet<string> = new Set([
  ...ROUTES.filter(({ method }) => method === "GET").map(({ action }) => action),
  ...INTERNAL,
]);
