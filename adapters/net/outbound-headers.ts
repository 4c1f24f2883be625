import type { IncomingHttpHeaders } from "node:http";
import { refused } from "./outbound-error.ts";

const bad = (says: string) => refused({ rule: "header", says });

const MAX_HEADERS = 100;
const MAX_LENGTH = 16 * 1024;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Latin-1 without control characters. A line break would let a header carry a second one. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** These headers frame the message or concern one connection, so only the guard may set them. */
const OURS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "keep-alive",
  "expect",
  "http2-settings",
]);

/** The headers that another origin may receive after a redirect. Any other header may be a credential. */
const HARMLESS = /^(?:accept(?:-.*)?|content-(?:type|language)|user-agent|idempotency-key|range|if-.*|cache-control)$/;

/**
 * Prepares the headers of a call, with names in lower case.
 * @throws {OutboundError} `outbound_refused` when the caller may not set a header, or a limit is exceeded.
 */
export function prepareHeaders(given: Record<string, string>, encodings: string): Record<string, string> {
  const headers: Record<string, string> = { "user-agent": "weft", accept: "*/*", "accept-encoding": encodings };
  const entries = Object.entries(given);
  if (entries.length > MAX_HEADERS) throw bad(`more than ${MAX_HEADERS} headers may not be sent`);
  let length = 0;
  for (const [original, value] of entries) {
    const name = original.toLowerCase();
    const shown = JSON.stringify(original.slice(0, 60));
    if (!NAME.test(name)) throw bad(`${shown} is not a header name`);
    if (OURS.has(name) || name.startsWith("proxy-")) throw bad(`the header ${shown} is set by us and may not be given`);
    if (!VALUE.test(value))
      throw bad(`the header ${shown} holds a line break or another character that headers cannot`);
    length += name.length + value.length;
    headers[name] = value;
  }
  if (length > MAX_LENGTH) throw bad(`headers of more than ${MAX_LENGTH} characters may not be sent`);
  return headers;
}

/** The headers to send to the target of a redirect. */
export function redirectedHeaders(
  headers: Record<string, string>,
  change: { crossOrigin: boolean; dropsBody: boolean },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => (!change.crossOrigin || HARMLESS.test(name)) && !(change.dropsBody && name.startsWith("content-")),
    ),
  );
}

/** Plain headers with names in lower case. Repeated headers are joined with commas. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === "__proto__") continue;
    plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}
