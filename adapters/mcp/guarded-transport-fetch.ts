import type { GuardedFetch, OutboundRequest } from "../net/port.ts";
import { tooLarge, collect } from "../net/response-body.ts";
import { MAX_ANSWER_BYTES, MAX_CALL_MS, MAX_STREAM_BYTES, REQUEST_MS } from "./limits.ts";
import { McpError } from "./mcp-error.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const NO_BODY = new Set([204, 205, 304]);

/**
 * Ends a stream if its current event exceeds the limit. An event ends with an empty line. The chunks of one line are
 * given together, because the library reads the beginning of a line again with each chunk.
 */
export async function* withinEventLimit(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  let size = 0;
  let lineIsEmpty = false;
  let held: Uint8Array[] = [];
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      const ends = byte === NEWLINE || byte === RETURN;
      size = ends && lineIsEmpty ? 0 : size + 1;
      lineIsEmpty = ends;
    }
    if (size > maxBytes) throw tooLarge(maxBytes);
    const end = Math.max(chunk.lastIndexOf(NEWLINE), chunk.lastIndexOf(RETURN)) + 1;
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [];
    }
    if (end < chunk.length) held.push(chunk.subarray(end));
  }
  if (held.length > 0) yield Buffer.concat(held);
}

function asHeaders(plain: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(plain)) {
    try {
      headers.append(name, value);
    } catch {
      // A header that the standard does not allow is skipped, because no code reads it.
    }
  }
  return headers;
}

function asBody(body: RequestInit["body"]): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new McpError("mcp_protocol", "A request of another kind than text was to be sent");
}

/** A request that is signed at each hop, just before it is sent. */
export type SignedInit = RequestInit & { sign?: OutboundRequest["sign"] };
export type SignedFetch = (url: string | URL, init?: SignedInit) => Promise<Response>;

/**
 * Presents the outbound guard as `fetch`, so that the official transports send all traffic through it. A response that
 * may be an event stream is streamed. Every other response is read whole, so that an unread body holds no connection.
 * @throws {OutboundError} when the call fails or the guard refuses it.
 */
export function createGuardedTransportFetch(guard: Pick<GuardedFetch, "fetch" | "stream">): SignedFetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const request = {
      url: String(url),
      method: init.method ?? undefined,
      headers: Object.fromEntries(headers),
      body: asBody(init.body),
      signal: init.signal ?? undefined,
      sign: init.sign,
      // The transport follows redirects within its own rules. Otherwise the guard follows them.
      maxRedirects: init.redirect === "manual" || init.redirect === "error" ? 0 : undefined,
    };
    const streams = headers.get("accept")?.includes("text/event-stream") ?? false;
    const answer = streams
      ? await guard.stream({ ...request, timeoutMs: MAX_CALL_MS + REQUEST_MS, maxBytes: MAX_STREAM_BYTES })
      : await guard.fetch({ ...request, timeoutMs: REQUEST_MS, maxBytes: MAX_ANSWER_BYTES });
    const { status, body } = answer;
    const isEvents = /^\s*text\/event-stream\b/i.test(answer.headers["content-type"] ?? "") && status === 200;
    const content =
      body instanceof Uint8Array
        ? body
        : isEvents
          ? ReadableStream.from(withinEventLimit(body, MAX_ANSWER_BYTES))
          : await collect(body, MAX_ANSWER_BYTES);
    if (status > 599) throw new McpError("mcp_protocol", `The server answered with the unknown status ${status}`);
    return new Response(NO_BODY.has(status) ? null : (content as ConstructorParameters<typeof Response>[0]), {
      status,
      headers: asHeaders(answer.headers),
    });
  };
}
