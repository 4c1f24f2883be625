import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { type Address, parseAddress, translatedIpv4 } from "./address-range.ts";

interface HostRule {
  kind: "host";
  /** Lower case, without a trailing dot. */
  host: string;
  /** Whether the rule is `*.host`: every name below the host, not the host itself. */
  below: boolean;
  port: string | undefined;
}
interface RangeRule {
  kind: "range";
  range: [Address, number];
  port: string | undefined;
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** An entry of OUTBOUND_ALLOW cannot be read. The one-line message names the entry. */
export class OutboundAllowError extends Error {
  override readonly name = "OutboundAllowError";
}

function bad(entry: string): never {
  throw new OutboundAllowError(
    `OUTBOUND_ALLOW: "${entry}" is not a host name, *.host, address or CIDR, each with an optional :port (not a URL)`,
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
  const [base, port] = withPort ? [withPort[1] ?? "", String(Number(withPort[2]))] : [text, undefined];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) bad(entry);
  const address = whole ?? parseAddress(base);
  if (address) return { kind: "range", range: [address, address instanceof ipaddr.IPv4 ? 32 : 128], port };
  const below = base.startsWith("*.");
  const host = domainToASCII(below ? base.slice(2) : base).replace(/\.$/, "");
  // A last label of digits would be another spelling of an address. Parsed URLs never contain it.
  if (!NAME.test(host) || /(^|\.)\d+$/.test(host)) bad(entry);
  return { kind: "host", host, below, port };
}

const matches = (address: Address, [base, bits]: [Address, number]) =>
  address.kind() === base.kind() && address.match(base, bits);
const isWhole = ([base, bits]: [Address, number]) => bits === (base instanceof ipaddr.IPv4 ? 32 : 128);

/** Whether a name is below another. */
export const isBelow = (name: string, host: string) => name.endsWith(`.${host}`);

export interface Exceptions {
  /** Whether an entry names exactly this host. */
  hostListed(this: void, name: string, port: string): boolean;
  /** Whether an entry names this host, or all names below a parent of it. */
  hostAllowed(this: void, name: string, port: string): boolean;
  /** Whether an entry covers this address. With `exactly`, whether an entry is exactly this address. */
  addressAllowed(this: void, address: Address, port: string, exactly: boolean): boolean;
}

/**
 * Reads OUTBOUND_ALLOW: hosts, `*.host`, addresses and CIDRs. All except CIDRs may have a `:port`.
 * @throws {OutboundAllowError} when an entry cannot be read.
 */
export function readExceptions(allow: readonly string[]): Exceptions {
  const rules = allow.map(parseRule);
  const hosts = rules.filter(rule => rule.kind === "host");
  const ranges = rules.filter(rule => rule.kind === "range");
  const covers = (rule: HostRule | RangeRule, port: string) => rule.port === undefined || rule.port === port;

  const hostListed = (name: string, port: string) =>
    hosts.some(rule => covers(rule, port) && !rule.below && name === rule.host);
  const hostAllowed = (name: string, port: string) =>
    hostListed(name, port) || hosts.some(rule => covers(rule, port) && rule.below && isBelow(name, rule.host));

  const addressAllowed = (address: Address, port: string, exactly: boolean) => {
    const spellings = [address, translatedIpv4(address)].filter(spelling => spelling !== undefined);
    return ranges.some(
      rule =>
        covers(rule, port) &&
        (!exactly || isWhole(rule.range)) &&
        spellings.some(spelling => matches(spelling, rule.range)),
    );
  };

  return { hostListed, hostAllowed, addressAllowed };
}
