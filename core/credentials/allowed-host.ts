import { ANY_HOST, type HostRule, readHost } from "../../contracts/credentials/hosts.ts";
import { trimEnd } from "../../contracts/trim-end.ts";

type Rule = HostRule | typeof ANY_HOST | undefined;

/** Caches the parsed rules of a list. A credential in memory has the same list at each use. */
const known = new WeakMap<readonly string[], Rule[]>();

function rulesOf(hosts: readonly string[]): Rule[] {
  const before = known.get(hosts);
  if (before) return before;
  const rules = hosts.map(entry => (entry === ANY_HOST ? ANY_HOST : readHost(entry)));
  known.set(hosts, rules);
  return rules;
}

const OWN_PORT: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/**
 * Whether a credential with these hosts may be sent to this address. An entry without a port allows the default port of
 * the URL's scheme. The list must not change afterwards, because its rules are cached.
 */
export function isAllowedHost(hosts: readonly string[], url: URL): boolean {
  const name = trimEnd(url.hostname, ".");
  const own = OWN_PORT[url.protocol] ?? "";
  return rulesOf(hosts).some(rule => {
    if (rule === ANY_HOST) return true;
    if (!rule || (rule.port || own) !== (url.port || own)) return false;
    return rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host;
  });
}
