import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { GATEWAY_ROUTES, ROUTES } from "../../contracts/routes.ts";
import type { JsonSchema } from "../../services/gateway/openapi/json-schema.ts";
import { openApiDocument } from "../../services/gateway/openapi/document.ts";
import type { Response } from "../../services/gateway/openapi/operation.ts";
import { Router } from "../../services/gateway/request/router.ts";
import type { Answer } from "./api.ts";

const FORMATS: Record<string, RegExp> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^https?:\/\/[^\s]+$/,
  "uri-reference": /^[^\s]*$/,
};

/** The same schema, without additional properties. */
function closed(schema: JsonSchema): JsonSchema {
  const inside = Object.entries(schema).map(([key, value]) => [key, closedPart(key, value)]);
  const open = schema.properties && schema.additionalProperties === undefined;
  return { ...(Object.fromEntries(inside) as JsonSchema), ...(open && { additionalProperties: false }) };
}

function closedPart(key: string, value: unknown): unknown {
  if (key === "items" || (key === "additionalProperties" && typeof value === "object"))
    return closed(value as JsonSchema);
  if (key === "anyOf" || key === "allOf") return (value as JsonSchema[]).map(closed);
  if (key !== "properties") return value;
  const properties = Object.entries(value as Record<string, JsonSchema>);
  return Object.fromEntries(properties.map(([name, schema]) => [name, closed(schema)]));
}

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const [name, pattern] of Object.entries(FORMATS)) ajv.addFormat(name, pattern);
const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)]);
ajv.addSchema({ $id: "api", components: { schemas: Object.fromEntries(schemas) as object } });

const validators = new Map<string, ValidateFunction>();
function validatorOf(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
  let validate = validators.get(text);
  if (!validate) validators.set(text, (validate = ajv.compile(JSON.parse(text) as object)));
  return validate;
}

const router = new Router<{ delivery: boolean; responses: Record<string, Response> }>();
for (const route of [...ROUTES, ...GATEWAY_ROUTES]) {
  const { responses } = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]![route.method.toLowerCase()]!;
  router.add(route.method, route.path, { delivery: "delivery" in route && route.delivery, responses });
}

function routeOf(method: string, url: string) {
  try {
    return router.find(method, new URL(url).pathname).target;
  } catch {
    // Paths that are not served are not described. Their response is a problem document like all others.
    return undefined;
  }
}

const PROBLEM = "application/problem+json";

/** What the OpenAPI document does not describe of a response, as one text; undefined if it describes everything. */
export function undescribed(method: string, url: string, { status, headers, body }: Answer): string | undefined {
  const route = routeOf(method, url);
  // The workflow controls the response to the sender of a delivery.
  if (route?.delivery && headers.get("content-security-policy")?.includes("sandbox")) return undefined;
  if (headers.get("x-request-id") === null) return "it has no X-Request-Id";
  const type = headers.get("content-type")?.replace(/;.*$/, "") ?? "";
  const described = route?.responses[status];
  if (route && !described) return `the status ${status}`;
  const content = described?.content ?? {};
  const fits = route ? type in content || (type === "" && Object.keys(content).length === 0) : type === PROBLEM;
  if (!fits) return `the type "${type}"`;
  if (type === PROBLEM && body.requestId !== headers.get("x-request-id")) return "its requestId is another one";
  if (!type.endsWith("json")) return undefined;
  const schema = content[type]?.schema ?? { $ref: "#/components/schemas/Problem" };
  // The schema of problem documents is closed already. The schema next to it only lists the error codes.
  const validate = validatorOf(type === PROBLEM ? schema : closed(schema));
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}
