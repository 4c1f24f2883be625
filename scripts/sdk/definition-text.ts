import { ACTIONS } from "../../contracts/actions.ts";
import type { ActionContract } from "../../contracts/define-action.ts";
import { logEntry } from "../../contracts/entities/execution.ts";
import { notification } from "../../contracts/entities/notification.ts";
import { streamState, WORKSPACE_EVENT_NAMES, WORKSPACE_EVENTS } from "../../contracts/entities/workspace-event.ts";
import { ERRORS } from "../../contracts/errors.ts";
import { OWN_QUERIES } from "../../contracts/route-fields.ts";
import { GATEWAY_ROUTES, type GatewayRoute, pathVariables, type Route } from "../../contracts/routes.ts";
import { CALLED, ENDPOINTS, FILE_ENDPOINTS, FILE_TYPES, STREAM_ENDPOINTS } from "../../sdk/definition.ts";
import { type JsonSchema, SchemaBook } from "../../services/gateway/openapi/json-schema.ts";
import { comment, fieldsOf, typescriptOf } from "./typescript-of.ts";

/** The sender sets the headers and the query of a delivery, and the token is for addresses that contain it. */
const OF_DELIVERIES = new Set(["headers", "query", "token"]);

const but = ({ properties = {}, ...schema }: JsonSchema, left: ReadonlySet<string>): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !left.has(name))),
});

/** The gateway sets these fields. Clients cannot set them. */
const OF_GATEWAY = new Set(["upload", "session", "userAgent"]);

function callText({ action, delivery, upload, browser, summary }: Route, book: SchemaBook): string {
  const { input, output }: ActionContract = ACTIONS[action];
  const hidden = delivery ? OF_DELIVERIES : upload || browser ? OF_GATEWAY : new Set<string>();
  const takes = fieldsOf(but(book.of(input), hidden));
  const gives = delivery ? "unknown" : typescriptOf(book.of(output));
  return `${comment(summary)}${JSON.stringify(action)}: { input: ${takes}; output: ${gives} };`;
}

/** The input of a stream: the variables of its path, and the fields of its query. */
function streamInput(name: GatewayRoute["name"], book: SchemaBook): string {
  const { path = "" } = GATEWAY_ROUTES.find(route => route.name === name) ?? {};
  const query = OWN_QUERIES[name];
  const { properties = {} } = query ? book.of(query) : {};
  const variables = pathVariables(path).map(({ field }) => field);
  const ids = Object.fromEntries(variables.map(field => [field, { type: "string" }]));
  return fieldsOf({ properties: { ...ids, ...properties }, required: variables });
}
const componentText = (name: string, schema: JsonSchema): string =>
  schema.properties ? `export interface ${name} ${fieldsOf(schema)}` : `export type ${name} = ${typescriptOf(schema)};`;

const constant = (name: string, type: string, value: unknown) =>
  `export const ${name}: Readonly<Record<${type}, Endpoint>> = ${JSON.stringify(value)};`;

/**
 * The text of `sdk/definition.ts` without imports from the service, generated from the contracts that check requests.
 */
export function definitionText(): string {
  const book = new SchemaBook();
  const calls = CALLED.map(route => callText(route, book));
  const events = streamInput("events", book);
  const data = [logEntry, notification].map(type => typescriptOf(book.of(type)));
  const happenings = [...Object.values(WORKSPACE_EVENTS), streamState].map(type => typescriptOf(book.of(type)));
  const eventNames = WORKSPACE_EVENT_NAMES.map(name => JSON.stringify(name));
  const components = Object.entries(book.components).map(
    ([name, schema]) => comment(schema.description) + componentText(name, schema),
  );
  const codes = Object.keys(ERRORS).map(code => JSON.stringify(code));
  return [
    "// Made by `npm run sdk` from the contracts of the service.",
    'import type { Endpoint } from "./endpoint.ts";',
    `export type ErrorCode = ${codes.join(" | ")};`,
    "export interface Fault { path: string; message: string; nodeId?: string }",
    ...components,
    `export type WorkspaceEventName = ${eventNames.join(" | ")};`,
    `export type WorkspaceEvent = ${happenings.join(" | ")};`,
    `export interface Calls { ${calls.join("\n")} }`,
    "export interface Streams {",
    `"executions.events": { input: ${events}; data: ${data[0]} };`,
    `"workspaces.events": { input: ${streamInput("workspaceEvents", book)}; data: WorkspaceEvent };`,
    `"notifications.stream": { input: Record<string, never>; data: ${data[1]} };`,
    "}",
    constant("ENDPOINTS", "string", ENDPOINTS),
    constant("STREAM_ENDPOINTS", "keyof Streams", STREAM_ENDPOINTS),
    constant(
      "FILE_ENDPOINTS",
      '"files.upload" | "executions.uploadFile" | "files.download" | "workspaces.export"',
      FILE_ENDPOINTS,
    ),
    `export const FILE_TYPES: Readonly<Record<string, string>> = ${JSON.stringify(FILE_TYPES)};`,
    "",
  ].join("\n");
}
