import { ACTIONS, type ActionName } from "./actions.ts";
import type { ActionContract } from "./define-action.ts";
import { pathVariables, type Route, ROUTES } from "./routes.ts";

const segmentsOf = (path: string) => path.slice(1).split("/");
const isVariable = (segment: string | undefined) => segment?.startsWith(":") === true;

/**
 * How many segments of the path, before the id, form the address of what a POST creates; 0 if the new resource has no
 * address. A new resource is below the longest prefix that has routes to single resources: `/workflows/import` creates
 * `/workflows/:id`.
 */
export function collectionDepth({ path, status }: Route): number {
  if (status !== 201) return 0;
  const segments = segmentsOf(path);
  for (let depth = segments.length; depth > 0; depth--) {
    const base = `/${segments.slice(0, depth).join("/")}/:`;
    const single = (other: Route) => other.path.startsWith(base) && !other.path.slice(base.length).includes("/");
    if (ROUTES.some(other => other.method !== "POST" && single(other))) return depth;
  }
  return 0;
}

const singular = (word: string) => word.replace(/ies$/, "y").replace(/s$/, "");

/** The resource that a route is about. */
export interface Resource {
  /** The type, such as `workflow`. */
  type: string;
  /** The field of the input that contains the resource's id; null if the call creates the resource. */
  field: string | null;
}

export function resourceOf(route: Route): Resource {
  const segments = segmentsOf(route.path);
  const last = segments.findLastIndex(isVariable);
  const place = collectionDepth(route) || (last < 0 ? segments.length : last);
  const variable = isVariable(segments[place]) ? segments[place] : undefined;
  const field = pathVariables(route.path, route.variables).find(({ name }) => `:${name}` === variable)?.field ?? null;
  return { type: singular(segments[place - 1] ?? ""), field };
}

/** The action that reads the resource which a route creates. */
export interface Reader {
  action: ActionName;
  /**
   * The fields of the reader's input. The last one is the new id. The others have the same values as in the creation.
   */
  fields: string[];
}

/** The action that reads the resource which this route's action created; undefined if there is none. */
export function readerOf(route: Route): Reader | undefined {
  const depth = collectionDepth(route);
  if (depth === 0) return undefined;
  const base = `/${segmentsOf(route.path).slice(0, depth).join("/")}/`;
  const output = (action: ActionName) => (ACTIONS[action] as ActionContract).output;
  const found = ROUTES.find(
    ({ method, path, action }) =>
      method === "GET" &&
      path.startsWith(`${base}:`) &&
      segmentsOf(path).length === depth + 1 &&
      output(action) === output(route.action),
  );
  return (
    found && { action: found.action, fields: pathVariables(found.path, found.variables).map(({ field }) => field) }
  );
}
