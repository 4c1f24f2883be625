import { z } from "zod";
import { ACTIONS } from "./actions.ts";
import { pathVariables, type Route } from "./routes.ts";
import { payloads } from "./actions/executions.ts";
import { WORDS_EVENT } from "./entities/execution.ts";
import { WORKSPACE_EVENT_NAMES } from "./entities/workspace-event.ts";
import { several } from "./primitives.ts";
import type { GatewayRoute } from "./routes/gateway.ts";

/**
 * The source of each field of a route's input. GET and DELETE take the remaining fields from the query, other methods
 * from the body.
 */
export function fieldSources(route: Route) {
  const path = new Set(pathVariables(route.path, route.variables).map(v => v.field));
  const header = new Set(Object.values(route.headers));
  const elsewhere = new Set([...path, ...header, ...(route.upload ? ["upload"] : [])]);
  const inQuery = route.method === "GET" || route.method === "DELETE";
  const rest = Object.keys(ACTIONS[route.action].input.shape).filter(field => !elsewhere.has(field));
  return {
    path,
    header,
    query: new Set(inQuery ? rest : []),
    body: new Set(inQuery ? [] : rest),
  };
}

/**
 * The query fields of routes that the gateway serves itself. The routes also list the names, because the SDK reads the
 * routes and must not load a package.
 */
export const OWN_QUERIES: Partial<Record<GatewayRoute["name"], z.ZodObject>> = {
  events: z.strictObject({
    payloads,
    deltas: z
      .boolean()
      .default(false)
      .meta({ description: `Also \`${WORDS_EVENT}\`: words as a language model writes them.` }),
  }),
  workspaceEvents: z.strictObject({
    only: several(z.enum(WORKSPACE_EVENT_NAMES)).optional().meta({ description: "Only these events." }),
  }),
};
