import type { z } from "zod";
import type { ErrorCode } from "../../../contracts/errors.ts";
import { ACTIONS } from "../../../contracts/actions.ts";
import type { Access, ActionContract } from "../../../contracts/define-action.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { fieldSources } from "../../../contracts/route-fields.ts";
import {
  creates,
  pathVariables,
  RESUME_PATH,
  type Route,
  ROUTES,
  takesIdempotencyKey,
} from "../../../contracts/routes.ts";
import { type FieldKind, isPage, kindOf } from "../request/route-plan.ts";
import { codesOf, errorResponses } from "./errors.ts";
import type { JsonSchema, SchemaBook } from "./json-schema.ts";
import { text } from "./own-schemas.ts";
import { type Response, withPages } from "./page-responses.ts";
import { FILE_PARAMETERS, headerParameters, type Parameter } from "./parameters.ts";

export type { Parameter, Response };

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-weft-access": Access;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
}

const JSON_TYPE = "application/json";
const XML_TYPE = "application/xml";
const MULTIPART_TYPE = "multipart/form-data";
const FORM_TYPE = "application/x-www-form-urlencoded";
const DELIVERED =
  "The started execution, without its input and the users behind it, unless the setting `respond` of the webhook says " +
  "otherwise. With `Prefer: wait=N`, if a `respond` step has run by then: the status, headers (`x-…` and a few others), type " +
  "and body that the step sets. A delivery that is repeated within 24 hours (with the same `Idempotency-Key`, `webhook-id`, " +
  "`svix-id`, `x-github-delivery` …) gets the response of the first one. The other methods in the `methods` of the webhook " +
  "work in the same way. With GET, the query is the input.";

const FILE_SCHEMA: JsonSchema = { description: "The file. Its text has the charset of `Content-Type`, or else UTF-8." };
const FORM_SCHEMA: JsonSchema = {
  type: "object",
  description: "A form whose parts are texts, JSON and files. Each file is stored as a file of the workspace.",
};
const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "The id of the request: the one that the client sent, or a generated one.",
    schema: text,
  },
  "Idempotent-Replayed": {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: text,
  },
  "Search-Degraded": {
    description:
      "`true` if the search used only words, or not all vectors, because a model or the search server is unavailable.",
    schema: text,
  },
  Location: { description: "The address of the new resource.", schema: text },
  ETag: { description: "Identifies this state of the resource.", schema: text },
  Link: { description: '`<…>; rel="next"`: the address of the next page. Absent on the last page.', schema: text },
  "X-Total-Count": { description: "With `count=true`: the number of matches, up to 10,000.", schema: text },
  "X-Total-Count-Min": { description: "`true` if there may be more matches than `X-Total-Count` says.", schema: text },
} satisfies Response["headers"];

const IDEMPOTENCY_ERRORS: ErrorCode[] = [
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_answer_too_large",
];

/** The access rule of an operation, in words. */
export function accessText(access: Access, { apiKeys = true, keyScope }: Partial<ActionContract> = {}): string {
  if (access === "public") return "Needs no authentication.";
  if (access === "operator") return "For operators of the installation; not for API keys.";
  if (access !== "user") {
    const orKey = keyScope === undefined ? "" : `, or an API key with the scope \`${keyScope}\``;
    return `Takes the role ${access} or higher${orKey}.`;
  }
  return apiKeys ? "For anyone who is signed in, and for API keys." : "For anyone who is signed in; not for API keys.";
}

const pick = (properties: Record<string, JsonSchema>, names: Iterable<string>) =>
  Object.fromEntries([...names].map(name => [name, properties[name] ?? {}]));

const VARIABLES: Record<string, string> = { wId: "The id of the workspace.", sId: "The id of the space." };

export const pathParameters = (
  path: string,
  properties: Record<string, JsonSchema> = {},
  fields: Record<string, string> = {},
): Parameter[] =>
  pathVariables(path, fields).map(({ name, field }) => ({
    name,
    in: "path",
    required: true,
    ...(VARIABLES[name] && { description: VARIABLES[name] }),
    schema: properties[field] ?? { type: "string", format: "uuid", pattern: ID_PATTERN.source },
  }));

function requestBody(names: ReadonlySet<string>, input: JsonSchema, route: Route): Operation["requestBody"] {
  const { wholeBody: whole, delivery } = route;
  if (names.size === 0) return undefined;
  if (whole !== undefined) {
    const schema = input.properties?.[whole] ?? {};
    const others = {
      [FORM_TYPE]: { schema: { type: "object" } },
      "text/*": { schema: text },
      [XML_TYPE]: { schema: text },
      [MULTIPART_TYPE]: { schema: FORM_SCHEMA },
      "*/*": { schema: FILE_SCHEMA },
    };
    const content = { [JSON_TYPE]: { schema }, ...(delivery && others) };
    return { required: input.required?.includes(whole) ?? false, content };
  }
  if (route.upload?.types === "any") return { required: true, content: { "*/*": { schema: FILE_SCHEMA } } };
  const files = route.upload?.types.map(type => [type, { schema: FILE_SCHEMA }] as const) ?? [];
  const required = (input.required ?? []).filter(name => names.has(name));
  const schema: JsonSchema = {
    type: "object",
    properties: pick(input.properties ?? {}, names),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const content = { [JSON_TYPE]: { schema }, ...Object.fromEntries(files) };
  const form = route.formInto !== undefined && { [MULTIPART_TYPE]: { schema: FORM_SCHEMA } };
  return { required: required.length > 0, content: { ...content, ...form } };
}

function success(route: Route, output: JsonSchema, list: boolean): Response {
  const { "X-Request-Id": requestId, "Idempotent-Replayed": replayed, "Search-Degraded": degraded } = RESPONSE_HEADERS;
  const { Location, ETag, Link, "X-Total-Count": total, "X-Total-Count-Min": totalIsMin } = RESPONSE_HEADERS;
  const shown = list ? output.properties?.items : route.delivery ? output.properties?.execution : output;
  return {
    description: route.delivery ? DELIVERED : route.summary,
    headers: {
      "X-Request-Id": requestId,
      ...(creates(route) && { Location }),
      ...(takesIdempotencyKey(route) && { "Idempotent-Replayed": replayed }),
      ...(route.searches && { "Search-Degraded": degraded }),
      ...(route.etag !== "none" && { ETag }),
      ...(list && { Link }),
      ...(list && output.properties?.total && { "X-Total-Count": total, "X-Total-Count-Min": totalIsMin }),
    },
    ...(route.status !== 204 && { content: { [JSON_TYPE]: { schema: shown ?? {} } } }),
  };
}

function errorsOf(route: Route, { access, apiKeys }: ActionContract, list: boolean): ErrorCode[] {
  return codesOf({
    public: access === "public",
    apiKeys,
    inWorkspace: access !== "public" && access !== "user" && access !== "operator",
    hasPathVariables: route.path.includes(":"),
    hasBody: route.method !== "GET",
    list,
    own: [
      ...(access === "operator" ? (["operator_only", "factor_required"] as const) : []),
      ...route.errors,
      ...(takesIdempotencyKey(route) ? IDEMPOTENCY_ERRORS : []),
    ],
  });
}

function queryParameter(name: string, schema: JsonSchema, kind: FieldKind, required = false): Parameter {
  const { description, ...rest } = schema;
  const about = { name, in: "query" as const, required, ...(description && { description }) };
  if (kind === "json") return { ...about, content: { [JSON_TYPE]: { schema: rest } } };
  if (kind === "members") return { ...about, style: "deepObject", explode: true, schema: rest };
  if (kind !== "words") return { name, in: "query", required, schema };
  return { ...about, style: "form", explode: false, schema: rest.anyOf?.find(({ type }) => type === "array") ?? rest };
}

/** The query parameters for the fields of an input; for all fields if no names are given. */
export function queryParameters(input: z.ZodObject | undefined, book: SchemaBook, names?: Iterable<string>) {
  if (!input) return [];
  const { properties = {}, required } = book.of(input);
  return Object.entries(pick(properties, names ?? Object.keys(input.shape))).map(([name, schema]) =>
    queryParameter(name, schema, kindOf(input.shape[name] as z.ZodType), required?.includes(name)),
  );
}

/** The parts for messages from people and external systems to a run. */
const MESSAGES = new Set(["questions", "answers", "approve", "respond", "files", "signal", "resume"]);

/** The group of an action's operation: its service, or a part of a large service that users look for by name. */
function tagOf(action: string): string {
  const [service = "", part = ""] = action.split(".");
  if (part === "operator") return "operators";
  return service === "executions" && MESSAGES.has(part) ? "questions" : service;
}

/** The operation of a route that leads to an action. */
export function operationOf(route: Route, book: SchemaBook): Operation {
  const contract: ActionContract = ACTIONS[route.action];
  const access = route.role ?? contract.access;
  const input = book.of(contract.input);
  const properties = input.properties ?? {};
  const { query, body } = fieldSources(route);
  const list = isPage(contract.output);
  // An action may be served at a second path.
  const isFirst = ROUTES.find(({ action }) => action === route.action) === route;
  const requestBodyOf = requestBody(body, input, route);
  const answers: Record<string, Response> = {
    [route.status]: success(route, book.of(contract.output), list),
    ...(route.found && { 200: success({ ...route, status: 200 }, book.of(contract.output), list) }),
    ...(route.etag !== "none" &&
      route.method === "GET" && { 304: { description: "The resource still has the `ETag` of `If-None-Match`." } }),
    ...(errorResponses(errorsOf(route, contract, list)) as Record<string, Response>),
  };
  return {
    operationId: isFirst ? route.action : `${route.action}.alias`,
    tags: [tagOf(route.action)],
    summary: route.summary,
    description: accessText(access, contract),
    "x-weft-access": access,
    security: access === "public" ? [] : [{ bearer: [] }],
    parameters: [
      ...pathParameters(route.path, properties, route.variables),
      ...queryParameters(contract.input, book, query),
      ...(route.upload ? FILE_PARAMETERS : []),
      ...headerParameters(route),
    ],
    ...(requestBodyOf && { requestBody: requestBodyOf }),
    responses: route.path === RESUME_PATH ? withPages(answers) : answers,
  };
}
