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
  description: "An event of the stream. `data` contains its JSON.",
  properties: { data: message },
  required: ["data"],
};
const JSON_TYPE = "application/json";

const DESCRIPTION =
  "Streamable HTTP of the Model Context Protocol, revision 2026-07-28 and earlier ones, without sessions: every request " +
  "contains its credential. If a tool refuses a call, the result has `isError`, and its text is a Problem. Web pages may call " +
  "it from the origins in CORS_ORIGINS, from the origin of PUBLIC_URL, and from this machine.";

const answers: Record<string, Response> = {
  200: {
    description: "The response to the message. It is a stream of Server-Sent Events if it reports progress first",
    content: { [JSON_TYPE]: { schema: messages }, "text/event-stream": { schema: event } },
  },
  202: { description: "The notification was accepted" },
  406: {
    description: "`Accept` does not contain both JSON and event streams",
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
