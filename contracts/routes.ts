import { auditRoutes } from "./routes/audit.ts";
import { credentialsRoutes } from "./routes/credentials.ts";
import { executionsRoutes } from "./routes/executions.ts";
import { filesRoutes } from "./routes/files.ts";
import { identityRoutes } from "./routes/identity.ts";
import { knowledgeRoutes } from "./routes/knowledge.ts";
import { apiRoutes } from "./routes/apis.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { notificationsRoutes } from "./routes/notifications.ts";
import { passkeysRoutes } from "./routes/passkeys.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { podsRoutes } from "./routes/pods.ts";
import { schedulesRoutes } from "./routes/schedules.ts";
import { ssoRoutes } from "./routes/sso.ts";
import { variablesRoutes } from "./routes/variables.ts";
import { webhooksRoutes } from "./routes/webhooks.ts";
import { workflowDraftsRoutes } from "./routes/workflow-drafts.ts";
import { workflowsRoutes } from "./routes/workflows.ts";
import { workspacesRoutes } from "./routes/workspaces.ts";
import type { Route } from "./routes/route.ts";

export { CALLBACK_PATH, GATEWAY_ROUTES, type GatewayRoute } from "./routes/gateway.ts";
export { RESUME_PATH } from "./routes/executions.ts";
export type { FileUpload, Method, Route } from "./routes/route.ts";

/** The names of path variables in an action's input. */
const PATH_FIELDS: Record<string, string> = { wId: "workspaceId", sId: "spaceId" };

const routes = [
  ...identityRoutes,
  ...ssoRoutes,
  ...passkeysRoutes,
  ...workspacesRoutes,
  ...operatorRoutes,
  ...podsRoutes,
  ...workflowsRoutes,
  ...workflowDraftsRoutes,
  ...executionsRoutes,
  ...schedulesRoutes,
  ...webhooksRoutes,
  ...credentialsRoutes,
  ...variablesRoutes,
  ...auditRoutes,
  ...notificationsRoutes,
  ...memoryRoutes,
  ...knowledgeRoutes,
  ...mcpRoutes,
  ...apiRoutes,
  ...filesRoutes,
];

/** The routes that call an action. The gateway serves them, the OpenAPI document lists them, and the SDK calls them. */
export const ROUTES: Route[] = routes;
/** The actions that clients can call. */
export type RoutedAction = (typeof routes)[number]["action"];

export interface PathVariable {
  /** The name of the variable in the path, without the colon. */
  name: string;
  /** The name of the field in the action's input. */
  field: string;
}

export function pathVariables(path: string, fields: Record<string, string> = {}): PathVariable[] {
  const fieldOf = (name: string) => fields[name] ?? PATH_FIELDS[name] ?? name;
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({ name, field: fieldOf(name) }));
}

/** Whether the route creates something. The response then has a `Location`. */
export const creates = ({ status }: Pick<Route, "status">): boolean => status === 201 || status === 202;

/** Whether a request to this route may carry an `Idempotency-Key`. Routes that create nothing ignore the header. */
export const takesIdempotencyKey = ({ method, status }: Pick<Route, "method" | "status">): boolean =>
  method === "POST" && creates({ status });
