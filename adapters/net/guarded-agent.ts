import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, Pool } from "undici";
import { OutboundError, refused } from "./outbound-error.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";

/** Resolves all addresses of a name. Defaults to the system's resolver. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export const systemResolve: Resolve = hostname => dns.promises.lookup(hostname, { all: true, verbatim: true });

export interface AgentOptions {
  policy: OutboundPolicy;
  resolve: Resolve;
  /** Maximum number of connections to one origin. Further calls wait for one of them. */
  connectionsPerOrigin: number;
  /** Maximum number of origins with connections at the same time. */
  maxOrigins: number;
  connectTimeoutMs: number;
  /** An idle connection is closed after this time. */
  idleMs: number;
}

/**
 * Creates connection pools that connect only to addresses checked immediately before. The name is resolved once, in the
 * connection's own lookup, and the socket gets the addresses that were checked there: a name that resolves differently
 * the next time (DNS rebinding) gains nothing. One forbidden address among several refuses the name.
 */
export function createGuardedAgent({ policy, resolve, ...limits }: AgentOptions): Agent {
  const lookupFor =
    (port: string): LookupFunction =>
    (hostname, options, callback) => {
      const check = async () => {
        const addresses = await resolve(hostname);
        for (const { address } of addresses) {
          const reason = policy.refuseAddress(address, hostname, port);
          if (reason !== undefined) throw refused(reason);
        }
        const [first] = addresses;
        if (!first) throw new OutboundError("outbound_failed", `"${hostname}" has no address`);
        return { first, addresses };
      };
      check().then(
        ({ first, addresses }) =>
          options.all ? callback(null, addresses) : callback(null, first.address, first.family),
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
    };

  const connectorFor = (origin: URL): buildConnector.connector => {
    const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
    const connect = buildConnector({
      lookup: lookupFor(port),
      timeout: limits.connectTimeoutMs,
      allowH2: false,
      autoSelectFamily: true,
    });
    return (options, callback) => {
      // Sockets to literal addresses do not call the lookup.
      const literal =
        isIP(options.hostname) === 0 ? undefined : policy.refuseAddress(options.hostname, options.hostname, port);
      if (literal !== undefined) callback(refused(literal), null);
      else connect(options, callback);
    };
  };

  return new Agent({
    factory: (origin, options) => new Pool(origin, { ...options, connect: connectorFor(new URL(origin)) }),
    connections: limits.connectionsPerOrigin,
    maxOrigins: limits.maxOrigins,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    maxHeaderSize: 16 * 1024,
    pipelining: 1,
    allowH2: false,
    // The guard's own time limit covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
