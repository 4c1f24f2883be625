import { type AppError, type ErrorData, errorCode } from "../../../contracts/errors.ts";
import { JSON_ONLY, readBody } from "../request/body.ts";
import type { Exchange } from "../http/exchange.ts";

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Only clients of the protocol version 2025-03-26 send several messages at once. */
const MAX_BATCH = 20;

/** The body is not a message of the protocol, so the response is an error message of the protocol. */
export class NoMessage extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The errors of readBody about the JSON itself. */
const ABOUT_JSON: ReadonlySet<string> = new Set(["malformed_json", "json_too_deep", "validation_failed"]);

/**
 * One message or several, from the body of a request; undefined for an empty body.
 * @throws {NoMessage} when the JSON is not valid
 * @throws {AppError} unsupported_media_type, payload_too_large
 */
export async function readMessages(x: Exchange, maxBytes: number): Promise<unknown> {
  const body = await readBody(x, maxBytes, JSON_ONLY).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === undefined || !ABOUT_JSON.has(code)) throw error;
    const { message } = error as AppError;
    const [fault] = ((error as AppError).data as ErrorData).errors ?? [];
    throw new NoMessage(PARSE_ERROR, fault ? `${fault.path}: ${fault.message}` : message);
  });
  if (Array.isArray(body) && (body.length === 0 || body.length > MAX_BATCH)) {
    throw new NoMessage(INVALID_REQUEST, `A batch has 1 to ${MAX_BATCH} messages.`);
  }
  return body;
}

/** The headers that the protocol reads. They contain no credentials. */
const PASSED = /^(mcp-.+|accept|content-type)$/;

/** The request in the form of the Fetch standard. The body is left out, because it was read already. */
export function webRequest({ req, path }: Exchange, signal: AbortSignal): Request {
  const headers = Object.entries(req.headers).filter(
    (header): header is [string, string] => typeof header[1] === "string" && PASSED.test(header[0]),
  );
  return new Request(`http://localhost${path}`, { method: "POST", headers, signal });
}
