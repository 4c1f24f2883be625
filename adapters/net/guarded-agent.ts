import { isIP } from "node:net";
import type { Agent, buildConnector } from "undici";
import { guardedLookup, type Resolve } from "./guarded-lookup.ts";
import { refused } from "./outbound-error.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { undici } from "./undici.ts";

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
 * Creates connection pools that connect only to addresses that were checked immediately before: see `guardedLookup`.
 */
export function createGuardedAgent({ policy, resolve, ...limits }: AgentOptions): Agent {
  const client = undici();
  const connectorFor = (origin: URL): buildConnector.connector => {
    const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
    const connect = client.buildConnector({
      lookup: guardedLookup(policy, resolve, port),
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

  return new client.Agent({
    factory: (origin, options) => new client.Pool(origin, { ...options, connect: connectorFor(new URL(origin)) }),
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
