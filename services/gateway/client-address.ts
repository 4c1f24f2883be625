import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** IPv6 users hold a /64 each, so one of them is one client. */
const IPV6_PREFIX_GROUPS = 4;

/** The one spelling of an address that limits are counted by. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, IPV6_PREFIX_GROUPS)
    .map(part => part.toString(16))
    .join(":");
}

/**
 * The address that a request comes from. Behind a trusted proxy it is the last one of `X-Forwarded-For`, which the proxy
 * wrote itself: those before it are what the client claims.
 */
export function sourceAddress(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? req.headers["x-forwarded-for"] : undefined;
  const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : undefined;
  const address = last ?? req.socket.remoteAddress ?? "";
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "unknown";
}

/** Which client that is, as limits count them. */
export const clientAddress = (req: IncomingMessage, trustProxy: boolean): string =>
  addressKey(sourceAddress(req, trustProxy));
