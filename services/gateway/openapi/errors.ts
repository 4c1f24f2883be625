import { CREDENTIAL_USE_KINDS } from "../../../contracts/entities/credential.ts";
import { type ErrorCode, ERRORS } from "../../../contracts/errors.ts";
import { COMPONENTS, type JsonSchema } from "./json-schema.ts";

const PROBLEM_TYPE = "application/problem+json";

export const problemSchema: JsonSchema = {
  type: "object",
  description: "A problem document (RFC 9457). Programs should use `code`, which is stable.",
  properties: {
    type: { type: "string", format: "uri-reference", description: "The address of the documentation of the code." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(ERRORS) },
    requestId: { type: "string", description: "The `X-Request-Id` of the response." },
    errors: {
      type: "array",
      description: "The fields with errors.",
      items: {
        type: "object",
        properties: {
          path: {
            type: "string",
            description:
              "A JSON Pointer (RFC 6901) to a field of the body, path or query, such as `/nodes/2/data/url`. Empty for the " +
              "whole body. For a header, its name.",
          },
          message: { type: "string" },
          nodeId: { type: "string", description: "The node with the error, if it is in a definition." },
        },
        required: ["path", "message"],
      },
    },
    usedBy: {
      type: "array",
      description:
        "With `credential_in_use`: the deployed workflows, webhooks and MCP servers that use the credential.",
      items: {
        type: "object",
        properties: {
          kind: { enum: [...CREDENTIAL_USE_KINDS] },
          id: { type: "string", format: "uuid" },
          name: { type: "string" },
          spaceId: { type: ["string", "null"], format: "uuid" },
          workflowId: { type: ["string", "null"], format: "uuid" },
          deployed: { type: "boolean" },
        },
        required: ["kind", "id", "name", "spaceId", "workflowId"],
      },
    },
  },
  required: ["type", "title", "status", "detail", "code", "requestId"],
};

/** The properties of an operation that decide which errors it can return. */
export interface ErrorTraits {
  public: boolean;
  apiKeys: boolean;
  inWorkspace: boolean;
  hasPathVariables: boolean;
  hasBody: boolean;
  list: boolean;
  own: readonly ErrorCode[];
}

const BODY_ERRORS: ErrorCode[] = ["malformed_json", "json_too_deep", "payload_too_large", "unsupported_media_type"];

export function codesOf(traits: ErrorTraits): ErrorCode[] {
  return [
    "validation_failed",
    ...(traits.hasBody ? BODY_ERRORS : []),
    ...(traits.list ? (["invalid_cursor"] as const) : []),
    ...(traits.public ? [] : (["unauthenticated"] as const)),
    ...(traits.public ? [] : (["address_not_allowed"] as const)),
    ...(traits.public ? [] : [traits.apiKeys ? ("scope_missing" as const) : ("api_key_not_allowed" as const)]),
    ...(traits.inWorkspace ? (["role_too_low", "factor_required"] as const) : []),
    ...(traits.inWorkspace || traits.hasPathVariables ? (["not_found"] as const) : []),
    ...traits.own,
    "rate_limited",
    "internal_error",
    "unavailable",
  ];
}

/** The error responses of an operation, by status. Each lists its codes. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Object.groupBy(codes, code => ERRORS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: group.map(code => `\`${code}\`: ${ERRORS[code].title}`).join("; "),
        content: {
          [PROBLEM_TYPE]: {
            schema: { allOf: [{ $ref: `${COMPONENTS}Problem` }, { properties: { code: { enum: group } } }] },
          },
        },
      },
    ]),
  );
}
