import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { type Address, embeddedIpv4, parseAddress, specialRange } from "./address-range.ts";

interface HostRule {
  kind: "host";
  /** Lower case, without a trailing dot. */
  host: string;
  /** `*.host`: every name below it, not the name itself. */
  below: boolean;
  port: string | undefined;
}
interface RangeRule {
  kind: "range";
  range: [Address, number];
  port: string | undefined;
}

export interface OutboundPolicy {
  /** Says why a URL may not be called, as far as that shows without resolving its name. */
  refuseUrl(url: URL): string | undefined;
  /** Says why an address that a name resolved to may not be connected to. */
  refuseAddress(address: string, host: string, port: string): string | undefined;
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

function bad(entry: string): never {
  throw new Error(
    `OUTBOUND_ALLOW: "${entry}" is no host name, *.host, address or CIDR, each with an optional :port (not a URL)`,
  );
}

function parseRule(entry: string): HostRule | RangeRule {
  const text = entry.trim().toLowerCase();
  if (text.includes("/")) {
    const [base = "", bits = "", ...more] = text.split("/");
    const address = parseAddress(base);
    const size = address instanceof ipaddr.IPv4 ? 32 : 128;
    if (!address || more.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > size) bad(entry);
    return { kind: "range", range: [address, Number(bits)], port: undefined };
  }
  const whole = parseAddress(text);
  const withPort = whole ? undefined : /^(.*):(\d{1,5})$/.exec(text);
  const [base, port] = withPort ? [withPort[1] ?? "", withPort[2]] : [text, undefined];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) bad(entry);
  const address = whole ?? parseAddress(base);
  if (address) return { kind: "range", range: [address, address instanceof ipaddr.IPv4 ? 32 : 128], port };
  const below = base.startsWith("*.");
  const host = domainToASCII(below ? base.slice(2) : base).replace(/\.$/, "");
  // A last label of digits would be an address in another spelling, which a URL never has.
  if (!NAME.test(host) || /(^|\.)\d+$/.test(host)) bad(entry);
  return { kind: "host", host, below, port };
}

const matches = (address: Address, [base, bits]: [Address, number]) =>
  address.kind() === base.kind() && address.match(base, bits);

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");
const bareName = (host: string) => host.toLowerCase().replace(/\.$/, "");

/** Reads the exceptions once. A bad entry throws an Error with one line that names it. */
export function createOutboundPolicy(allow: readonly string[]): OutboundPolicy {
  const rules = allow.map(parseRule);
  const hosts = rules.filter(rule => rule.kind === "host");
  const ranges = rules.filter(rule => rule.kind === "range");

  const hostAllowed = (name: string, port: string) =>
    hosts.some(
      rule =>
        (rule.port === undefined || rule.port === port) &&
        (rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host),
    );

  const addressAllowed = (address: Address, port: string) => {
    const spellings = [address, embeddedIpv4(address)].filter(spelling => spelling !== undefined);
    return ranges.some(
      rule =>
        (rule.port === undefined || rule.port === port) && spellings.some(spelling => matches(spelling, rule.range)),
    );
  };

  const refuseAddress = (text: string, host: string, port: string): string | undefined => {
    const name = bareName(host);
    const address = parseAddress(text);
    if (!address) return `"${name}" resolves to something that is no address`;
    if (hostAllowed(name, port)) return undefined;
    const range = specialRange(address);
    if (range === undefined || addressAllowed(address, port)) return undefined;
    const is = parseAddress(host) ? "is" : "resolves to";
    return `"${name}" ${is} ${range} address, which may not be called unless OUTBOUND_ALLOW lists it`;
  };

  return {
    refuseAddress,
    refuseUrl(url) {
      if (url.protocol !== "http:" && url.protocol !== "https:")
        return `only http and https may be called, not ${url.protocol}`;
      if (url.username !== "" || url.password !== "") return "a URL may not hold credentials: send a header instead";
      const name = bareName(url.hostname);
      if (name === "") return "the URL names no host";
      if (parseAddress(name)) return refuseAddress(name, name, portOf(url));
      const local = name === "localhost" || name.endsWith(".localhost");
      return local && !hostAllowed(name, portOf(url))
        ? `"${name}" is this machine, which may not be called unless OUTBOUND_ALLOW lists the name`
        : undefined;
    },
  };
}
