import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** IPv6 users hold a /64 each, so one of them is one client. */
const IPV6_PREFIX_GROUPS = 4;
const MAX_KNOWN = 10_000;
/** The longest spelling of an address with a zone is shorter. */
const MAX_CHARS = 100;

interface Client {
  /** The one spelling of its address. */
  address: string;
  /** What limits count it by. */
  key: string;
}

const NOBODY: Client = { address: "unknown", key: "unknown" };

function read(address: string): Client {
  if (!ipaddr.isValid(address)) return NOBODY;
  const parsed = ipaddr.process(address);
  const spelled = parsed.toString();
  if (parsed.kind() === "ipv4") return { address: spelled, key: spelled };
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_PREFIX_GROUPS);
  return { address: spelled, key: groups.map(part => part.toString(16)).join(":") };
}

/** Reading one costs as much as finding a route, and most requests come from where the last ones came from. */
const known = new Map<string, Client>();

function clientOf(address: string): Client {
  if (address.length > MAX_CHARS) return NOBODY;
  let client = known.get(address);
  if (client) return client;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(address, (client = read(address)));
  return client;
}

/** The one spelling of an address that limits are counted by. */
export const addressKey = (address: string): string => clientOf(address).key;

/**
 * Where a request comes from. Behind a trusted proxy it is the last address of `X-Forwarded-For`, the one that the proxy
 * wrote itself: those before it are what the client claims.
 */
function sentFrom(req: IncomingMessage, trustProxy: boolean): Client {
  const forwarded = trustProxy ? req.headers["x-forwarded-for"] : undefined;
  const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : undefined;
  return clientOf(last ?? req.socket.remoteAddress ?? "");
}

export const sourceAddress = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).address;

/** Which client that is, as limits count them. */
export const clientAddress = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).key;
