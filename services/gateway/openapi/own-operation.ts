import { archiveHead, archiveRecord } from "../../../contracts/entities/archive.ts";
import { LOG_EVENTS, logEntry, WORDS_EVENT } from "../../../contracts/entities/execution.ts";
import type { ErrorCode } from "../../../contracts/errors.ts";
import {
  STREAM_EVENTS,
  streamState,
  WORKSPACE_EVENT_NAMES,
  WORKSPACE_EVENTS,
} from "../../../contracts/entities/workspace-event.ts";
import { notification } from "../../../contracts/entities/notification.ts";
import { OWN_QUERIES } from "../../../contracts/route-fields.ts";
import type { GatewayRoute } from "../../../contracts/routes.ts";
import { EVENT_ID_PATTERN } from "../events/event-text.ts";
import { codesOf, errorResponses } from "./errors.ts";
import { DOCS_CONTENT, readiness, text } from "./own-schemas.ts";
import { PAGE_RESPONSES } from "./page-responses.ts";
import type { JsonSchema, SchemaBook } from "./json-schema.ts";
import { isMcp, type McpName, mcpOperation } from "./mcp-operation.ts";
import {
  accessText,
  type Operation,
  type Parameter,
  pathParameters,
  queryParameters,
  type Response,
} from "./operation.ts";

const lastEventId: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of the last received event. The stream continues after it.",
  schema: { type: "string", pattern: EVENT_ID_PATTERN },
};

const OWN_TRAITS: Partial<Record<GatewayRoute["name"], { tag: string; errors: ErrorCode[] }>> = {
  file: { tag: "files", errors: ["range_not_satisfiable", "unavailable"] },
  workspaceExport: { tag: "workspaces", errors: ["unavailable"] },
};
const CALLBACK_ERRORS: ErrorCode[] = [
  "authorization_refused",
  "not_found",
  "conflict",
  "credential_unreadable",
  "unavailable",
];
const SSO_LOGOUT_ERRORS: ErrorCode[] = [
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "sso_unavailable",
  "unavailable",
];
const CALLBACK: Parameter[] = ["state", "code", "iss", "error"].map(name => ({
  ...{ name, in: "query", required: name === "state", schema: { type: "string" } },
  description: "As in RFC 6749 and RFC 9207, set by the authorization server. Further parameters are ignored.",
}));

const KEPT_ALIVE = "A comment every 15 seconds keeps the stream alive";
/** OpenAPI 3.1 cannot describe the items of a stream. Client generators expect the schema of a single event. */
const stream = (events: readonly string[], data: JsonSchema): Response["content"] => ({
  "text/event-stream": {
    schema: {
      type: "object",
      description: "An event of the stream. `data` contains its JSON.",
      properties: {
        id: { type: "string", pattern: EVENT_ID_PATTERN },
        event: { type: "string", enum: [...events] },
        data,
      },
      required: ["id", "event", "data"],
    },
  },
});
const FILE = {
  "application/octet-stream": { schema: { description: "The bytes. The content type is that of the file." } },
};
const PAGE_NAMES = { page: text, section: text, provider: text, token: text };
const LOGOUT_BODY = {
  required: true,
  content: {
    "application/x-www-form-urlencoded": {
      schema: { type: "object", properties: { logout_token: text }, required: ["logout_token"] },
    },
  },
};
const STREAMS: readonly string[] = ["events", "notifications", "workspaceEvents"] satisfies GatewayRoute["name"][];

const json = (description: string, schema: JsonSchema): Response => ({
  description,
  content: { "application/json": { schema } },
});

type OwnName = Exclude<GatewayRoute["name"], McpName>;

function responses(name: OwnName, book: SchemaBook): Record<string, Response> {
  switch (name) {
    case "events":
      return {
        200: {
          description:
            "Server-Sent Events. `id` is the entry's `seq`, `event` its `event`, `data` the JSON of a LogEntry. " +
            `With \`deltas=true\`, also \`${WORDS_EVENT}\` without an id, whose \`data\` has \`nodeId\`, \`path\`, \`turn\`, \`at\` and \`text\`. ` +
            `${KEPT_ALIVE}; it ends after the final event, or after 10 minutes.`,
          content: stream(LOG_EVENTS, book.of(logEntry)),
        },
        204: {
          description: "The execution has ended, and `Last-Event-ID` is its last event. Clients must not reconnect.",
        },
      };
    case "notifications":
      return {
        200: {
          description:
            "Server-Sent Events, each a notification that came after the stream began, or after `Last-Event-ID`. `id` is " +
            "its place, `event` is `notification.created`, `data` the JSON of a Notification. " +
            `${KEPT_ALIVE}; it ends with the session, or after 10 minutes.`,
          content: stream(["notification.created"], book.of(notification)),
        },
      };
    case "file":
      return {
        200: { description: "The file, as an attachment. Its `ETag` is its SHA-256 digest", content: FILE },
        206: {
          description:
            "The range in `Range`. If `If-Range` has another `ETag`, the response is the whole file with status 200",
          content: FILE,
        },
        304: { description: "The `ETag` in `If-None-Match` is still current" },
      };
    case "workspaceExport":
      return {
        200: {
          description:
            'JSON Lines: the head (`ArchiveHead`), the records (`ArchiveRecord`), and `{"kind": "end", "records": …}`, ' +
            "without which the archive is cut off",
          content: { "application/x-ndjson": { schema: { anyOf: [book.of(archiveHead), book.of(archiveRecord)] } } },
        },
      };
    case "ssoLogout":
      return {
        200: { description: "The sessions have ended" },
        400: {
          description: "The token is not valid, or has already been used",
          content: { "application/json": { schema: { type: "object", properties: { error: text } } } },
        },
      };
    case "resumePage":
      return PAGE_RESPONSES;
    case "oauthCallback":
      return {
        200: {
          description: "The authorization has ended, and this installation has no web page",
          content: { "text/plain": { schema: text } },
        },
        302: { description: "The authorization has ended. Redirects to the page of the credential" },
      };
    case "workspaceEvents": {
      const data = Object.values(WORKSPACE_EVENTS).map(schema => book.of(schema));
      return {
        200: {
          description:
            "Server-Sent Events of what happens after the stream began, or after `Last-Event-ID`. `ready` is the first one of " +
            "a stream without `Last-Event-ID`. `reset` says that events are missing: read again what you show. " +
            `${KEPT_ALIVE}; it ends with the session, or after 10 minutes.`,
          content: stream([...STREAM_EVENTS, ...WORKSPACE_EVENT_NAMES], { anyOf: [book.of(streamState), ...data] }),
        },
      };
    }
    case "live":
      return {
        200: json("The process runs", {
          type: "object",
          properties: { status: { const: "ok" } },
          required: ["status"],
        }),
      };
    case "ready":
      return {
        200: json(
          "All dependencies respond. The status is `degraded` if only `search` or `files` is not `ok`",
          readiness,
        ),
        503: json("A dependency does not respond", readiness),
      };
    case "openapi":
      return { 200: json("An OpenAPI 3.1 document", { type: "object" }) };
    case "docs":
    case "docsPage":
    case "docsSection":
      return {
        200: { description: "A page, or a file that pages load", content: DOCS_CONTENT },
        304: { description: "The `ETag` in `If-None-Match` is still current" },
      };
  }
}

/** The operation of a route that the gateway answers itself. */
export function ownOperation(route: GatewayRoute, book: SchemaBook): Operation {
  if (isMcp(route.name)) return mcpOperation(route);
  const { name, path, access, summary } = route as GatewayRoute & { name: OwnName };
  const open = access === "public";
  const inWorkspace = !open && access !== "user";
  const traits = { public: open, apiKeys: inWorkspace, inWorkspace };
  const errors = open
    ? ([
        "validation_failed",
        ...(name === "oauthCallback" ? CALLBACK_ERRORS : []),
        ...(name === "ssoLogout" ? SSO_LOGOUT_ERRORS : []),
        ...(name === "resumePage" ? (["rate_limited", "unavailable"] as const) : []),
        ...(path.includes(":") ? (["not_found"] as const) : []),
        "internal_error",
      ] as const)
    : codesOf({
        ...traits,
        hasPathVariables: inWorkspace,
        hasBody: false,
        list: false,
        own: OWN_TRAITS[name]?.errors ?? [],
      });
  return {
    operationId: `gateway.${name}`,
    tags: [open ? "gateway" : (OWN_TRAITS[name]?.tag ?? (inWorkspace ? "executions" : "notifications"))],
    summary,
    description: accessText(access),
    "x-weft-access": access,
    security: open ? [] : [{ bearer: [] }],
    parameters: [
      ...pathParameters(path, open ? PAGE_NAMES : {}),
      ...queryParameters(OWN_QUERIES[name], book),
      ...(name === "oauthCallback" ? CALLBACK : []),
      ...(STREAMS.includes(name) ? [lastEventId] : []),
    ],
    ...(name === "ssoLogout" && { requestBody: LOGOUT_BODY }),
    responses: { ...(errorResponses(errors) as Record<string, Response>), ...responses(name, book) },
  };
}
