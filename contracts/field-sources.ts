import { ACTIONS } from "./actions.ts";
import { pathVariables, type Route } from "./routes.ts";

/**
 * Where each field of a route's input comes from. GET and DELETE take the remaining fields from the query, other methods
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
