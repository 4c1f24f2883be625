import type { Access } from "../define-action.ts";
import { EXECUTIONS } from "./executions.ts";
import { NOTIFICATIONS } from "./notifications.ts";

/** A route that the gateway answers by itself. */
export interface GatewayRoute {
  method: "GET";
  path: string;
  access: Access;
  summary: string;
  produces: string;
  name: "events" | "notifications" | "live" | "ready" | "openapi" | "docs";
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
  {
    name: "notifications",
    method: "GET",
    path: `${NOTIFICATIONS}/stream`,
    access: "user",
    summary: "Follow one's notifications; `Last-Event-ID` resumes",
    produces: "text/event-stream",
  },
  own("live", "/health/live", "The process runs"),
  own("ready", "/health/ready", "Its dependencies answer"),
  own("openapi", "/openapi.json", "This document"),
  own("docs", "/docs", "This document, to read", "text/html"),
];
