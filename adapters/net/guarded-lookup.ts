import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { OutboundError, refused } from "./outbound-error.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";

/** Resolves all addresses of a name. Defaults to the system's resolver. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export const systemResolve: Resolve = hostname => dns.promises.lookup(hostname, { all: true, verbatim: true });

/**
 * The lookup of a connection. The name is resolved once, and the socket gets the addresses that were checked here, so
 * DNS rebinding has no effect. If one of several addresses is forbidden, the name is refused. Sockets to literal
 * addresses do not call it.
 */
export const guardedLookup =
  (policy: OutboundPolicy, resolve: Resolve, port: string): LookupFunction =>
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
      ({ first, addresses }) => (options.all ? callback(null, addresses) : callback(null, first.address, first.family)),
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
