import { GATEWAY_ROUTES, ROUTES } from "../../../contracts/routes.ts";
import { definitionSchemas } from "../../../core/graph/catalogue/definition-schema.ts";
import { problemSchema } from "./errors.ts";
import { COMPONENTS, type JsonSchema, SchemaBook } from "./json-schema.ts";
import { type Operation, operationOf } from "./operation.ts";
import { ownOperation } from "./own-operation.ts";

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, object> };
}

const DESCRIPTION = [
  "Bodies are JSON; fields that are not listed are refused. Ids are lower-case UUIDs, times ISO 8601 in UTC.",
  "Lengths count UTF-16 code units. White space around names, searches and addresses is removed before their length counts.",
  "Lists are arrays, newest first unless said otherwise, with the next page in the `Link` header.",
  "Errors are problem documents (RFC 9457). Every answer carries `X-Request-Id`; limits are told by `RateLimit-Limit`,",
  "`RateLimit-Remaining` and `RateLimit-Reset`, and 429 and 503 say in `Retry-After` when to come again.",
  "The keys `__proto__` and `constructor.prototype` are refused at any depth, and so are more than 100 levels.",
].join(" ");

/** The OpenAPI 3.1 description of the whole API, generated from the contracts that check requests. */
export function openApiDocument(): OpenApiDocument {
  const book = new SchemaBook();
  const paths: OpenApiDocument["paths"] = {};
  const add = (method: string, path: string, operation: Operation) => {
    (paths[path.replace(/:(\w+)/g, "{$1}")] ??= {})[method.toLowerCase()] = operation;
  };
  for (const route of ROUTES) add(route.method, route.path, operationOf(route, book));
  for (const route of GATEWAY_ROUTES) add(route.method, route.path, ownOperation(route, book));
  const definitions = definitionSchemas(COMPONENTS) as Record<string, JsonSchema>;
  const schemas = Object.entries({ ...definitions, ...book.components, Problem: problemSchema });
  return {
    openapi: "3.1.0",
    info: { title: "Weft", version: "1.0.0", description: DESCRIPTION },
    paths,
    components: {
      schemas: Object.fromEntries(schemas.sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "the `accessToken` of a sign-in, or an API key" },
      },
    },
  };
}
