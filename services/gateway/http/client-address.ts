import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** An IPv6 user usually has a /64 network, so all its addresses count as one client. */
const IPV6_PREFIX_GROUPS = 4;
const MAX_KNOWN = 10_000;
/** The longest notation of an address, with a zone, is shorter. */
const MAX_CHARS = 100;

interface Client {
  /** The address in its canonical notation. */
  address: string;
  /** The key that limits count the client by. */
  key: string;
}

const UNKNOWN: Client = { address: "unknown", key: "unknown" };

function read(address: string): Client {
  if (!ipaddr.isValid(address)) return UNKNOWN;
  const parsed = ipaddr.process(address);
  const spelled = parsed.toString();
  if (parsed.kind() === "ipv4") return { address: spelled, key: spelled };
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_PREFIX_GROUPS);
  return { address: spelled, key: groups.map(part => part.toString(16)).join(":") };
}

/**
 * Parsing an address takes as long as finding a route, and most requests come from recent addresses, so the results are
 * cached.
 */
const known = new Map<string, Client>();

function clientOf(address: string): Client {
  if (address.length > MAX_CHARS) return UNKNOWN;
  let client = known.get(address);
  if (client) return client;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(address, (client = read(address)));
  return client;
}

/**
 * The client that sent a request. Behind a trusted proxy it is the last address in `X-Forwarded-For`, which the proxy
 * added. Clients can forge the addresses before it.
 */
function sentFrom(req: IncomingMessage, trustProxy: boolean): Client {
  const forwarded = trustProxy ? req.headers["x-forwarded-for"] : undefined;
  const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : undefined;
  return clientOf(last ?? req.socket.remoteAddress ?? "");
}

/** The client's address in its canonical notation. */
export const sourceAddress = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).address;

/** The key that limits count the client by. It is the same for all notations of its address. */
export const clientKey = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).key;
