import type { Access } from "../define-action.ts";
import { EXECUTIONS, RESUME_PATH } from "./executions.ts";
import { FILES } from "./files.ts";
import { WORKSPACE } from "./route.ts";
import { NOTIFICATIONS } from "./notifications.ts";

/** A route that the gateway serves itself. */
export interface GatewayRoute {
  method: "GET" | "POST";
  path: string;
  access: Access;
  /** For routes with access `user`: true if API keys may call them too. */
  apiKeys?: boolean;
  /** The names of the query's fields. `OWN_QUERIES` contains their schemas. */
  query?: readonly string[];
  summary: string;
  produces: string;
  name:
    | "events"
    | "file"
    | "notifications"
    | "workspaceEvents"
    | "workspaceExport"
    | "live"
    | "ready"
    | "openapi"
    | "docs"
    | "docsPage"
    | "docsSection"
    | "mcp"
    | "workspaceMcp"
    | "oauthCallback"
    | "ssoLogout"
    | "resumePage";
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

/** The request's cookie identifies the authorization that the browser began. */
export const CALLBACK_PATH = "/v1/oauth/callback";

/** The routes that the gateway serves itself. */
export const GATEWAY_ROUTES: GatewayRoute[] = [
  {
    name: "events",
    method: "GET",
    path: `${EXECUTIONS}/:id/events`,
    access: "viewer",
    query: ["payloads", "deltas"],
    summary: "Follow an execution. `Last-Event-ID` resumes the stream.",
    produces: "text/event-stream",
  },
  {
    name: "notifications",
    method: "GET",
    path: `${NOTIFICATIONS}/stream`,
    access: "user",
    summary: "Follow your notifications. `Last-Event-ID` resumes the stream.",
    produces: "text/event-stream",
  },
  {
    name: "file",
    method: "GET",
    path: `${FILES}/:id`,
    access: "viewer",
    apiKeys: true,
    summary: "Download a file, or ranges of it",
    produces: "application/octet-stream",
  },
  {
    name: "workspaceExport",
    method: "GET",
    path: `${WORKSPACE}/export`,
    access: "admin",
    apiKeys: true,
    summary: "Export a workspace as an archive in JSON Lines",
    produces: "application/x-ndjson",
  },
  {
    name: "workspaceEvents",
    method: "GET",
    path: `${WORKSPACE}/events`,
    access: "viewer",
    query: ["only"],
    summary: "Follow the changes in a workspace. `Last-Event-ID` resumes the stream.",
    produces: "text/event-stream",
  },
  {
    name: "mcp",
    method: "POST",
    path: "/mcp",
    access: "user",
    apiKeys: true,
    summary: "Model Context Protocol endpoint of the API key's workspace, or of the user's only workspace",
    produces: "application/json",
  },
  {
    name: "workspaceMcp",
    method: "POST",
    path: "/mcp/:wId",
    access: "viewer",
    summary: "Model Context Protocol endpoint of this workspace",
    produces: "application/json",
  },
  own("oauthCallback", CALLBACK_PATH, "The redirect URI for authorization servers", "text/plain"),
  {
    name: "ssoLogout",
    method: "POST",
    path: "/v1/auth/sso/:provider/logout",
    access: "public",
    summary: "The URI for back-channel logout of OpenID Connect providers",
    produces: "application/json",
  },
  own("resumePage", RESUME_PATH, "The page on which a person ends the wait of a step. It changes nothing", "text/html"),
  own("live", "/health/live", "Liveness: the process runs"),
  own("ready", "/health/ready", "Readiness: the process and its dependencies answer"),
  own("openapi", "/openapi.json", "The OpenAPI document"),
  own("docs", "/docs", "The documentation", "text/html"),
  own("docsPage", "/docs/:page", "A page of the documentation, or a file that pages load", "text/html"),
  own("docsSection", "/docs/:section/:page", "A page of the API reference, or a decision record", "text/html"),
];
