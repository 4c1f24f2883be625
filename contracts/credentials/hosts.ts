import { z } from "zod";
import { trimEnd } from "../trim-end.ts";

const MAX_HOSTS = 50;
const MAX_HOST = 300;
/** Characters that would be read as other parts of a URL than the host: a path, a query, a user, an escape. */
const FOREIGN = /[\s/?#@\\%,]/;
const IS_ADDRESS = /^(?:\[.*\]|[\d.]+)$/;

/** The entry that allows every host. Only an admin may set it. */
export const ANY_HOST = "*";

export interface HostRule {
  /** In the form of a parsed URL, without a trailing dot. IPv6 addresses are in brackets. */
  host: string;
  /** True if the rule covers every name below the host, but not the host itself. */
  below: boolean;
  /** Empty means the default port of the URL's scheme. */
  port: string;
}

/**
 * Reads `api.example.com`, `*.example.com`, `10.0.0.1:8080` or `[::1]`. Returns undefined for anything else. The bound
 * comes first, because a schema that limits the length runs its other checks all the same, and dots inside a name make
 * the search for dots at its end quadratic.
 */
export function readHost(text: string): HostRule | undefined {
  if (text.length > MAX_HOST) return undefined;
  const [, star = "", base = "", port = ""] = /^(\*\.)?(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (base === "" || FOREIGN.test(base) || (port !== "" && !(Number(port) >= 1 && Number(port) <= 65_535)))
    return undefined;
  const host = trimEnd(URL.parse(`http://${base}`)?.hostname ?? "", ".");
  const below = star !== "";
  if (host === "" || host.includes("*") || (below && (IS_ADDRESS.test(host) || !host.includes(".")))) return undefined;
  return { host, below, port: port === "" ? "" : String(Number(port)) };
}

/** The canonical form in which an entry is stored and compared; undefined if it is not valid. */
export function normalHost(text: string): string | undefined {
  if (text.trim() === ANY_HOST) return ANY_HOST;
  const rule = readHost(text);
  return rule && `${rule.below ? "*." : ""}${rule.host}${rule.port === "" ? "" : `:${rule.port}`}`;
}

const host = z
  .string()
  .max(MAX_HOST)
  .transform((text, context) => {
    const normal = normalHost(text);
    if (normal !== undefined) return normal;
    context.addIssue({
      code: "custom",
      message: "Expected a host such as api.example.com, *.example.com or api.example.com:8443, not a URL",
    });
    return z.NEVER;
  });

export const credentialHosts = z
  .array(host)
  .max(MAX_HOSTS)
  .transform(hosts => [...new Set(hosts)].sort());
