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
  "Bodies are JSON. Requests with unknown fields are rejected. Ids are lower-case UUIDs, and times are ISO 8601 in UTC.",
  "Lengths count UTF-16 code units, without white space around names, searches and addresses.",
  "Lists are arrays, newest first unless the route says otherwise. The `Link` header contains the address of the next page.",
  "Errors are problem documents (RFC 9457). Every response has the header `X-Request-Id`.",
  "`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` describe the rate limit.",
  "Responses with status 429 or 503 have the header `Retry-After`. Requests with the key `__proto__`,",
  "with `constructor.prototype`, or with more than 100 levels are rejected.",
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
        bearer: { type: "http", scheme: "bearer", description: "The `accessToken` of a sign-in, or an API key." },
      },
    },
  };
}
