import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** An IPv6 user has a /64, so all its addresses count as one client. */
const IPV6_PREFIX_GROUPS = 4;
const MAX_KNOWN = 10_000;
/** No spelling of an address is longer, even with a zone. */
const MAX_CHARS = 100;

interface Client {
  /** The address in its canonical spelling. */
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

/** Reading an address costs as much as finding a route, and most requests come from recent addresses. */
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
 * The client that sent a request. Behind a trusted proxy it is the last address of `X-Forwarded-For`, which the proxy
 * wrote itself. The addresses before it are claims of the client.
 */
function sentFrom(req: IncomingMessage, trustProxy: boolean): Client {
  const forwarded = trustProxy ? req.headers["x-forwarded-for"] : undefined;
  const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : undefined;
  return clientOf(last ?? req.socket.remoteAddress ?? "");
}

/** The client's address in its canonical spelling. */
export const sourceAddress = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).address;

/** The key that limits count the client by, the same for all spellings of its address. */
export const clientKey = (req: IncomingMessage, trustProxy: boolean): string => sentFrom(req, trustProxy).key;
