import { ANY_HOST, readHost } from "../../contracts/credentials/hosts.ts";

const OWN_PORT: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * Whether a credential with these hosts may be sent to this address. Without a port, an entry allows the port of the
 * URL's own scheme.
 */
export function isAllowedHost(hosts: readonly string[], url: URL): boolean {
  const name = url.hostname.replace(/\.+$/, "");
  const own = OWN_PORT[url.protocol] ?? "";
  return hosts.some(entry => {
    if (entry === ANY_HOST) return true;
    const rule = readHost(entry);
    if (!rule || (rule.port || own) !== (url.port || own)) return false;
    return rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host;
  });
}
