import { McpError } from "../../adapters/mcp/mcp-error.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";
import type { OutboundAnswer, OutboundBody } from "../../adapters/net/port.ts";
import type { ToolResult } from "../../contracts/entities/mcp-server.ts";
import { AppError, type ErrorCode } from "../../contracts/errors.ts";
import { resultText } from "../../core/agent/result-text.ts";
import { clip } from "../../core/clip.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { BodyError, encodeBody, readBody, textOf } from "../../core/http-body.ts";
import { isTransientStatus } from "../../core/http-retry.ts";
import type { ApiOperation } from "../../core/openapi/operation.ts";
import { type ApiRequest, ApiRequestError, requestOf } from "../../core/openapi/request-of.ts";
import { type CallSigner, credentialsFor, openSigner } from "./api-credentials.ts";
import type { ServerDoc } from "./model.ts";
import type { Self } from "./service.ts";

export interface OperationCall {
  arguments: Record<string, unknown>;
  timeoutMs: number;
  signal: AbortSignal;
  idempotencyKey?: string | undefined;
  maxBytes: number;
}

const CODES: Record<OutboundError["code"], ErrorCode> = {
  outbound_refused: "tool_server_refused",
  outbound_timeout: "tool_timeout",
  response_too_large: "tool_call_failed",
  outbound_failed: "tool_server_unavailable",
  outbound_aborted: "tool_server_unavailable",
  outbound_busy: "tool_server_unavailable",
};
const MAX_DETAIL = 1_000;
const MULTIPART = /^multipart\/form-data\b/i;

async function multipart(value: unknown, headers: Record<string, string>): Promise<Uint8Array> {
  const form = new FormData();
  for (const [name, held] of Object.entries(value as object))
    for (const item of Array.isArray(held) ? (held as unknown[]) : [held])
      if (item !== null) form.append(name, typeof item === "object" ? JSON.stringify(item) : String(item));
  const made = new Response(form);
  headers["content-type"] = made.headers.get("content-type") ?? "multipart/form-data";
  return new Uint8Array(await made.arrayBuffer());
}

async function bodyOf({ body }: ApiRequest, headers: Record<string, string>): Promise<OutboundBody | undefined> {
  if (!body) return undefined;
  if (MULTIPART.test(body.type) && typeof body.value === "object") return multipart(body.value, headers);
  headers["content-type"] = body.type;
  return encodeBody(body.value, headers, /\bjson\b/i.test(body.type) ? "json" : undefined);
}

/** Converts the response of an operation into the result of a tool. */
function resultOf({ status, headers, body }: OutboundAnswer, mask: <T>(value: T) => T): ToolResult {
  const type = headers["content-type"] ?? "";
  const isError = status < 200 || status > 299;
  const text = textOf(body, type);
  if (text === undefined) {
    const shown = `${body.length} bytes of ${type || "an unnamed type"} that are not text.`;
    return { content: [{ type: "text", text: shown }], structuredContent: { status }, isError };
  }
  const said = mask(text);
  const structuredContent = { status, body: mask(readBody(text, type, "auto")) };
  return {
    content: [{ type: "text", text: isError ? `Status ${status}. ${said}` : said }],
    structuredContent,
    isError,
  };
}

/**
 * Calls an operation of an API. A response with an error status is a result with `isError`, unless a retry may help.
 * @throws {AppError} tool_server_unavailable, tool_server_refused, tool_timeout, tool_call_failed
 * @throws {McpError} when a credential cannot be used
 */
export async function callOperation(
  self: Self,
  server: ServerDoc,
  operation: ApiOperation,
  call: OperationCall,
): Promise<ToolResult> {
  const ids = credentialsFor(operation, server);
  const { timeoutMs, signal, maxBytes, idempotencyKey } = call;
  const send = async (signer: CallSigner): Promise<OutboundAnswer> => {
    const request = requestOf(operation, call.arguments, server.baseUrl ?? null);
    const headers: Record<string, string> = { accept: "application/json, text/*;q=0.9, */*;q=0.5", ...request.headers };
    if (idempotencyKey !== undefined) headers["idempotency-key"] ??= idempotencyKey;
    const body = await bodyOf(request, headers);
    const { method, url } = request;
    const sign = ids.length > 0 ? signer.sign.bind(signer) : undefined;
    return self.apis.net.fetch({ method, url, headers, body, sign, timeoutMs, signal, maxBytes });
  };
  let signer = await openSigner(self, server.workspaceId, ids);
  try {
    let answer = await send(signer);
    if (answer.status === 401 && signer.tokens.size > 0) {
      signer = await openSigner(self, server.workspaceId, ids, signer.tokens);
      answer = await send(signer);
    }
    const { status } = answer;
    if (status === 401 || status === 403)
      throw new AppError("tool_server_refused", { detail: `The API refuses access (${status}).` });
    const result = resultOf(answer, maskerOf(signer.secrets));
    if (isTransientStatus(status))
      throw new AppError("tool_server_unavailable", {
        detail: clip(`The API answered. ${resultText(result)}`, MAX_DETAIL),
      });
    return result;
  } catch (error) {
    if (error instanceof OutboundError)
      throw new AppError(CODES[error.code], { detail: maskerOf(signer.secrets)(error.message) });
    if (error instanceof ApiRequestError || error instanceof BodyError)
      throw new AppError("tool_server_refused", { detail: error.message });
    if (error instanceof McpError || error instanceof AppError) throw error;
    throw new AppError("tool_call_failed", { detail: "The request could not be built from the arguments." });
  }
}
