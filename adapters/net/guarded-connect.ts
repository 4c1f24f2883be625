import { connect, isIPv6, type Socket } from "node:net";
import { guardedLookup, type Resolve, systemResolve } from "./guarded-lookup.ts";
import { OutboundError, refused } from "./outbound-error.ts";
import { createOutboundPolicy } from "./outbound-policy.ts";

export interface ConnectTo {
  /** A name or an address. */
  host: string;
  port: number;
  /** The time limit for resolving and connecting. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Connects to a server with a protocol other than HTTP. An abort destroys the socket, even after the connection was
 * made.
 * @throws {OutboundError} outbound_refused, outbound_failed, outbound_timeout, outbound_aborted
 */
export type GuardedConnect = (to: ConnectTo) => Promise<Socket>;

/** The address of a server as a URL, for rules about hosts. Its scheme has no meaning. */
export const placeUrl = (host: string, port: number): URL =>
  new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`);

/**
 * Creates the guard for connections that user input steers, with the rules of `createGuardedFetch`.
 * @throws {OutboundAllowError} when an entry of `allow` cannot be read.
 */
export function createGuardedConnect({
  allow,
  resolve = systemResolve,
}: {
  allow: readonly string[];
  resolve?: Resolve;
}): GuardedConnect {
  const policy = createOutboundPolicy(allow);
  return async ({ host, port, timeoutMs, signal }) => {
    const refusal = policy.refuseUrl(placeUrl(host, port));
    if (refusal) throw refused(refusal);
    const late = AbortSignal.timeout(timeoutMs);
    const socket = connect({ host, port, lookup: guardedLookup(policy, resolve, `${port}`), autoSelectFamily: true });
    const abort = () => socket.destroy(new OutboundError("outbound_aborted", `The connection to ${host} was ended`));
    const expire = () => socket.destroy(new OutboundError("outbound_timeout", `Connecting to ${host} took too long`));
    signal?.addEventListener("abort", abort);
    late.addEventListener("abort", expire);
    socket.once("close", () => signal?.removeEventListener("abort", abort));
    if (signal?.aborted) abort();
    try {
      await new Promise<void>((resolved, reject) => socket.once("connect", resolved).once("error", reject));
      return socket;
    } catch (error) {
      socket.on("error", () => undefined).destroy();
      if (error instanceof OutboundError) throw error;
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      throw new OutboundError("outbound_failed", `The connection to ${host} failed (${code})`, { cause: error });
    } finally {
      late.removeEventListener("abort", expire);
    }
  };
}
