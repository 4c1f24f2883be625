import { z } from "zod";
import { ACTIONS } from "../../../contracts/actions.ts";
import type { ActionContract } from "../../../contracts/define-action.ts";
import { fieldSources } from "../../../contracts/route-fields.ts";
import { collectionDepth } from "../../../contracts/resource.ts";
import { pathVariables, type Route } from "../../../contracts/routes.ts";
import { segmentsOf } from "./router.ts";

/**
 * How the text of a path or a query is converted. `words` are separated by commas; a single word stays a text.
 * `members` are the members of an object, each in a parameter of its own, such as `label.order=7`.
 */
export type FieldKind = "id" | "integer" | "boolean" | "words" | "members" | "json" | "text";

export interface PathField {
  /** The position of the segment in the path. */
  segment: number;
  field: string;
  kind: FieldKind;
}

/** Everything about a route that its requests need. It is computed once. */
export interface RoutePlan {
  route: Route;
  public: boolean;
  path: PathField[];
  query: ReadonlyMap<string, FieldKind>;
  body: ReadonlySet<string>;
  /** The schema of the action's input. */
  input: z.ZodType;
  /** True if the action returns a page. The response consists of its items. */
  list: boolean;
  /** How many segments of the path, before the id, form the address of the resource that a POST created. */
  locationDepth: number;
}

const kinds = new WeakMap<z.ZodType, FieldKind>();

/** Routes share the schemas of many fields, so the kind of each schema is cached. */
export function kindOf(field: z.ZodType): FieldKind {
  let kind = kinds.get(field);
  if (!kind) kinds.set(field, (kind = readKind(field)));
  return kind;
}

function readKind(field: z.ZodType): FieldKind {
  const { type, format, anyOf } = z.toJSONSchema(field, { io: "input" });
  if (type === "integer" || type === "boolean") return type;
  if (field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodRecord) return "members";
  if (type === "array" || type === "object") return "json";
  if (anyOf?.some(one => typeof one === "object" && one.type === "array")) return "words";
  return format === "uuid" ? "id" : "text";
}

export const isPage = (output: z.ZodType): boolean => output instanceof z.ZodObject && "next" in output.shape;

export function planOf(route: Route): RoutePlan {
  const contract: ActionContract = ACTIONS[route.action];
  const kind = (field: string) => kindOf(contract.input.shape[field] as z.ZodType);
  const { query, body } = fieldSources(route);
  const segments = segmentsOf(route.path);
  return {
    route,
    public: contract.access === "public",
    path: pathVariables(route.path, route.variables).map(({ name, field }) => ({
      segment: segments.indexOf(`:${name}`),
      field,
      kind: kind(field),
    })),
    query: new Map([...query].map(field => [field, kind(field)])),
    // A body is unusual with DELETE, so the query accepts all of its fields too.
    body: route.method === "DELETE" ? query : body,
    input: contract.input,
    list: isPage(contract.output),
    locationDepth: collectionDepth(route),
  };
}
