import { Readable } from "node:stream";
import type { OutboundBody } from "./port.ts";

/** The body of one request. A long body states its length, because some servers refuse chunked bodies. */
export function sendable(headers: Record<string, string>, body: OutboundBody | undefined) {
  if (typeof body !== "object" || body instanceof Uint8Array) return { headers, body: body ?? null };
  return { headers: { ...headers, "content-length": `${body.size}` }, body: Readable.from(body.open()) };
}
