import { ACTIONS, type ActionName } from "./actions.ts";
import type { Access } from "./define-action.ts";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./primitives.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Route {
  method: Method;
  path: string;
  action: ActionName;
  status: 200 | 201 | 204;
  summary: string;
  /** Fields of the input that a header carries. */
  headers: Partial<Record<"if-match" | "prefer", string>>;
  /** The answer is a workflow and carries its ETag. */
  etag: boolean;
  /** Guessing passwords is what this route is open to, so it is limited by address and by account. */
  guessable: boolean;
  /** The errors that are this route's own, beside those that its shape implies. */
  errors: ErrorCode[];
  /** The least role, where the action lets some in with less and checks the rest by itself. */
  role?: Role;
}

/** A route that the gateway answers by itself. */
export interface GatewayRoute {
  method: "GET";
  path: string;
  access: Access;
  summary: string;
  produces: string;
  name: "events" | "live" | "ready" | "openapi" | "docs";
}

/** What a path variable is called in an action's input. */
const PATH_FIELDS: Record<string, string> = { wId: "workspaceId", sId: "spaceId" };

function route(
  method: Method,
  path: string,
  action: ActionName,
  status: Route["status"],
  summary: string,
  extra: Partial<Pick<Route, "headers" | "etag" | "guessable" | "errors" | "role">> = {},
): Route {
  return { method, path, action, status, summary, headers: {}, etag: false, guessable: false, errors: [], ...extra };
}

const own = (
  name: GatewayRoute["name"],
  path: string,
  summary: string,
  produces = "application/json",
): GatewayRoute => ({
  name,
  method: "GET",
  path,
  access: "public",
  summary,
  produces,
});

const W = "/v1/workspaces/:wId";
const WORKFLOWS = `${W}/spaces/:sId/workflows`;
const EXECUTIONS = `${W}/spaces/:sId/executions`;

/** The routes that lead to an action. The gateway serves them, the OpenAPI document lists them. */
export const ROUTES: Route[] = [
  route("POST", "/v1/auth/register", "identity.register", 201, "Register", {
    guessable: true,
    errors: ["email_taken"],
  }),
  route("POST", "/v1/auth/login", "identity.login", 200, "Sign in", {
    guessable: true,
    errors: ["invalid_credentials"],
  }),
  route("POST", "/v1/auth/refresh", "identity.refresh", 200, "Renew a session; each refresh token works once", {
    errors: ["invalid_refresh_token"],
  }),
  route("POST", "/v1/auth/logout", "identity.logout", 204, "End the session"),
  route("GET", "/v1/auth/me", "identity.me", 200, "Read the signed-in user"),
  route("PATCH", "/v1/auth/me", "identity.updateMe", 200, "Change the signed-in user"),

  route("POST", "/v1/workspaces", "workspaces.create", 201, "Create a workspace; the caller becomes its owner", {
    errors: ["slug_taken"],
  }),
  route("GET", "/v1/workspaces", "workspaces.list", 200, "List one's workspaces"),
  route("GET", W, "workspaces.get", 200, "Read a workspace"),
  route("PATCH", W, "workspaces.update", 200, "Change a workspace", { errors: ["slug_taken"] }),
  route("DELETE", W, "workspaces.remove", 204, "Delete a workspace and all its contents"),
  route("GET", `${W}/members`, "workspaces.members", 200, "List members with their roles"),
  route("PATCH", `${W}/members/:userId`, "workspaces.updateMember", 200, "Change a member's role", {
    errors: ["owner_is_fixed"],
  }),
  route("DELETE", `${W}/members/:userId`, "workspaces.removeMember", 204, "Remove a member, or leave", {
    errors: ["owner_is_fixed"],
    role: "admin",
  }),

  route("POST", `${W}/pods`, "pods.create", 201, "Create a pod with its default space"),
  route("GET", `${W}/pods`, "pods.list", 200, "List pods"),
  route("GET", `${W}/pods/:podId`, "pods.get", 200, "Read a pod"),
  route("PATCH", `${W}/pods/:podId`, "pods.update", 200, "Change a pod"),
  route("DELETE", `${W}/pods/:podId`, "pods.remove", 204, "Delete a pod and what its spaces hold"),
  route("POST", `${W}/spaces`, "pods.spaces.create", 201, "Create a space"),
  route("GET", `${W}/spaces`, "pods.spaces.list", 200, "List spaces"),
  route("GET", `${W}/spaces/:sId`, "pods.spaces.get", 200, "Read a space"),
  route("PATCH", `${W}/spaces/:sId`, "pods.spaces.update", 200, "Rename a space"),
  route("DELETE", `${W}/spaces/:sId`, "pods.spaces.remove", 204, "Delete a space and what it holds", {
    errors: ["default_space"],
  }),

  route("POST", WORKFLOWS, "workflows.create", 201, "Create a workflow", { etag: true }),
  route("GET", WORKFLOWS, "workflows.list", 200, "List workflows, or the trashed ones"),
  route("GET", `${WORKFLOWS}/:id`, "workflows.get", 200, "Read a workflow", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id`, "workflows.update", 200, "Change a workflow; a change makes a version", {
    etag: true,
    headers: { "if-match": "ifMatch" },
    errors: ["precondition_failed", "conflict"],
  }),
  route("DELETE", `${WORKFLOWS}/:id`, "workflows.remove", 204, "Delete a workflow for good"),
  route("POST", `${WORKFLOWS}/:id/deploy`, "workflows.deploy", 200, "Deploy the newest version", {
    etag: true,
    errors: ["workflow_trashed"],
  }),
  route("PATCH", `${WORKFLOWS}/:id/star`, "workflows.star", 200, "Star or unstar", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/trash`, "workflows.trash", 200, "Move to the trash", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/restore`, "workflows.restore", 200, "Take out of the trash", { etag: true }),
  route("GET", `${WORKFLOWS}/:id/versions`, "workflows.versions", 200, "List versions"),
  route("GET", `${WORKFLOWS}/:id/versions/:version`, "workflows.version", 200, "Read a version"),
  route("POST", `${WORKFLOWS}/:id/validate`, "workflows.validate", 200, "Say what would fail when it runs"),

  route("POST", EXECUTIONS, "executions.start", 201, "Start an execution", {
    headers: { prefer: "waitMs" },
    errors: ["workflow_trashed"],
  }),
  route("GET", EXECUTIONS, "executions.list", 200, "List executions, without their payloads"),
  route("GET", `${EXECUTIONS}/:id`, "executions.get", 200, "Read an execution with its input and output"),
  route("GET", `${EXECUTIONS}/:id/logs`, "executions.logs", 200, "Read the log, oldest entry first"),
  route("PATCH", `${EXECUTIONS}/:id/respond`, "executions.respond", 200, "Answer a suspended execution", {
    errors: ["execution_not_suspended"],
  }),
  route("PATCH", `${EXECUTIONS}/:id/approve`, "executions.approve", 200, "Approve a suspended execution", {
    errors: ["execution_not_suspended"],
  }),
  route("DELETE", `${EXECUTIONS}/:id`, "executions.cancel", 204, "Cancel an execution", {
    errors: ["execution_finished"],
  }),
  route("POST", `${EXECUTIONS}/:id/retry`, "executions.retry", 201, "Run again from the failed step", {
    errors: ["execution_not_retryable", "workflow_trashed"],
  }),
];

/** The routes that the gateway answers by itself. */
export const GATEWAY_ROUTES: GatewayRoute[] = [
  {
    name: "events",
    method: "GET",
    path: `${EXECUTIONS}/:id/events`,
    access: "viewer",
    summary: "Follow an execution; `Last-Event-ID` resumes",
    produces: "text/event-stream",
  },
  own("live", "/health/live", "The process runs"),
  own("ready", "/health/ready", "Its dependencies answer"),
  own("openapi", "/openapi.json", "This document"),
  own("docs", "/docs", "This document, to read", "text/html"),
];

export interface PathVariable {
  /** As the path spells it, without the colon. */
  name: string;
  /** As the action's input spells it. */
  field: string;
}

export function pathVariables(path: string): PathVariable[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({ name, field: PATH_FIELDS[name] ?? name }));
}

/** Where each field of a route's input comes from. GET takes the rest from the query, the others from the body. */
export function fieldSources(route: Route) {
  const path = new Set(pathVariables(route.path).map(v => v.field));
  const header = new Set(Object.values(route.headers));
  const rest = Object.keys(ACTIONS[route.action].input.shape).filter(f => !path.has(f) && !header.has(f));
  return {
    path,
    header,
    query: new Set(route.method === "GET" ? rest : []),
    body: new Set(route.method === "GET" ? [] : rest),
  };
}
