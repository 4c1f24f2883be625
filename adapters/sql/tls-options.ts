import { authoritiesWith } from "../net/tls.ts";
import type { SqlServer } from "./port.ts";

/**
 * The TLS options of a connection; undefined for an unencrypted one. `ca` is trusted in addition to the usual
 * authorities.
 */
export function tlsOptions({ tls, ca }: SqlServer): { rejectUnauthorized: boolean; ca?: string[] } | undefined {
  if (tls === "off") return undefined;
  return { rejectUnauthorized: tls === "verify", ...(ca !== undefined && { ca: authoritiesWith(ca) }) };
}
