import { call } from "../../../../contracts/call.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { http } from "./http.ts";
import { type Perform } from "./step.ts";
import { toolFailure } from "./tool-failure.ts";

type BodyType = NonNullable<DataOf<"http">["bodyType"]>;

const BODY_TYPES: [RegExp, BodyType][] = [
  [/\bjson\b/i, "json"],
  [/^application\/x-www-form-urlencoded\b/i, "form"],
  [/^multipart\/form-data\b/i, "multipart"],
];

/**
 * Calls an operation of a registered API as an `http` step would. The service that knows the API checks the arguments
 * and builds the request. This step sends it, with the credential of the API.
 */
export const api: Perform<"api"> = async ({ toolId, arguments: given, ...options }, context, later) => {
  const { workspaceId } = context.doc;
  const prepared = await call(context.parts.broker, "mcp.apis.prepare", {
    ...{ workspaceId, toolId, arguments: given },
  }).catch((error: unknown) => toolFailure(error, toolId));
  if ("code" in prepared) {
    const { code, message, retryable } = prepared;
    return { kind: "failed", error: { code, message }, retryable, input: { toolId, arguments: given } };
  }
  const { method, url, body, credentialId } = prepared;
  const bodyType = body ? (BODY_TYPES.find(([form]) => form.test(body.type))?.[1] ?? "text") : undefined;
  const headers = { ...prepared.headers };
  // The type of a multipart body contains a boundary, which is created when the body is written.
  if (body && bodyType !== "multipart") headers["content-type"] ??= body.type;
  const data = {
    ...options,
    ...{ method: method as DataOf<"http">["method"], url, headers, query: {} },
    ...(body && { body: body.value, bodyType }),
    ...(credentialId !== null && { credential: credentialId }),
  };
  return http(data, context, later);
};
