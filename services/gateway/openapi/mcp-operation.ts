import type { GatewayRoute } from "../../../contracts/routes.ts";
import { codesOf, errorResponses } from "./errors.ts";
import type { JsonSchema } from "./json-schema.ts";
import { accessText, type Operation, pathParameters, type Response } from "./operation.ts";

export type McpName = "mcp" | "workspaceMcp";
export const isMcp = (name: GatewayRoute["name"]): name is McpName => name === "mcp" || name === "workspaceMcp";

/** The protocol describes its own messages. This document states only that they are JSON-RPC 2.0. */
const message: JsonSchema = { type: "object", properties: { jsonrpc: { const: "2.0" } }, required: ["jsonrpc"] };
const messages: JsonSchema = { anyOf: [message, { type: "array", items: message }] };
const event: JsonSchema = {
  type: "object",
  description: "each event of the stream; `data` is its JSON",
  properties: { data: message },
  required: ["data"],
};
const JSON_TYPE = "application/json";

const DESCRIPTION =
  "Streamable HTTP of the Model Context Protocol, in its revision of 2026-07-28 and the earlier ones, without sessions: every " +
  "request brings its credential. What a tool refuses is an answer with `isError` whose text is a Problem. A page is let in " +
  "from the origins of CORS_ORIGINS, from that of PUBLIC_URL, and from this machine.";

const answers: Record<string, Response> = {
  200: {
    description: "What the message asked for, as Server-Sent Events where progress is told before it",
    content: { [JSON_TYPE]: { schema: messages }, "text/event-stream": { schema: event } },
  },
  202: { description: "A notification was taken" },
  406: {
    description: "`Accept` names not both JSON and event streams",
    content: { [JSON_TYPE]: { schema: message } },
  },
};

/** For these statuses the protocol defines its own errors, in addition to those of the API. */
const WITH_MESSAGES = ["400", "404"];

function withMessages(responses: Record<string, Response>): Record<string, Response> {
  for (const status of WITH_MESSAGES) {
    const { description = "No such method", content = {} } = responses[status] ?? {};
    responses[status] = { description, content: { ...content, [JSON_TYPE]: { schema: message } } };
  }
  return responses;
}

/** The operation of a route that speaks the Model Context Protocol. */
export function mcpOperation({ name, path, access, summary }: GatewayRoute): Operation {
  const inWorkspace = access !== "user";
  const errors = codesOf({
    public: false,
    apiKeys: true,
    inWorkspace: false,
    hasPathVariables: inWorkspace,
    hasBody: true,
    list: false,
    own: ["origin_not_allowed", "factor_required"],
  });
  return {
    operationId: `gateway.${name}`,
    tags: ["mcp"],
    summary,
    description: `${DESCRIPTION} ${accessText(access)}`,
    "x-weft-access": access,
    security: [{ bearer: [] }],
    parameters: pathParameters(path),
    requestBody: { required: true, content: { [JSON_TYPE]: { schema: messages } } },
    responses: { ...withMessages(errorResponses(errors) as Record<string, Response>), ...answers },
  };
}
