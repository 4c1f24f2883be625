import { authoritiesWith } from "../net/tls.ts";
import type { SqlServer } from "./port.ts";

/** How a connection is encrypted; undefined where it is not. Further authorities are trusted beside the usual ones. */
export function tlsOptions({ tls, ca }: SqlServer): { rejectUnauthorized: boolean; ca?: string[] } | undefined {
  if (tls === "off") return undefined;
  return { rejectUnauthorized: tls === "verify", ...(ca !== undefined && { ca: authoritiesWith(ca) }) };
}
