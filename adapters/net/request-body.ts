import { Readable } from "node:stream";
import type { OutboundBody } from "./port.ts";

/** The body of one request. A long one states its length, so that servers that refuse chunked bodies take it. */
export function sendable(headers: Record<string, string>, body: OutboundBody | undefined) {
  if (typeof body !== "object" || body instanceof Uint8Array) return { headers, body: body ?? null };
  return { headers: { ...headers, "content-length": `${body.size}` }, body: Readable.from(body.open()) };
}
