import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { OutboundRule } from "./rules.ts";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Table<A extends Address> = readonly (readonly [range: [A, number], rule: OutboundRule])[];

const rows4 = (rule: OutboundRule, ...ranges: string[]) =>
  ranges.map(range => [ipaddr.IPv4.parseCIDR(range), rule] as const);
const rows6 = (rule: OutboundRule, ...ranges: string[]) =>
  ranges.map(range => [ipaddr.IPv6.parseCIDR(range), rule] as const);

/**
 * The first matching row decides. Follows IANA's special-purpose registries (RFC 6890). The addresses at which clouds
 * return credentials come first: AWS, Google, Azure and others on the first one; Azure's platform, Alibaba, Oracle,
 * containers of ECS and EKS, Scaleway, Tencent.
 */
const IPV4: Table<ipaddr.IPv4> = [
  ...rows4("metadata", "169.254.169.254/32", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32"),
  ...rows4("metadata", "169.254.170.2/32", "169.254.170.23/32", "169.254.42.42/32", "169.254.0.23/32"),
  ...rows4("loopback", "127.0.0.0/8"),
  ...rows4("this_network", "0.0.0.0/8"),
  ...rows4("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
  ...rows4("carrier_nat", "100.64.0.0/10"),
  ...rows4("link_local", "169.254.0.0/16"),
  ...rows4("documentation", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
  ...rows4("benchmarking", "198.18.0.0/15"),
  ...rows4("multicast", "224.0.0.0/4"),
  ...rows4("broadcast", "255.255.255.255/32"),
  ...rows4("reserved", "192.0.0.0/24", "192.88.99.0/24", "192.175.48.0/24", "192.31.196.0/24", "192.52.193.0/24"),
  ...rows4("reserved", "240.0.0.0/4"),
];

const IPV6: Table<ipaddr.IPv6> = [
  ...rows6("metadata", "fd00:ec2::254/128", "fd00:ec2::23/128", "fd20:ce::254/128", "fd00:42::42/128"),
  ...rows6("metadata", "fe80::a9fe:a9fe/128"),
  ...rows6("loopback", "::1/128"),
  ...rows6("this_network", "::/128"),
  ...rows6("private", "fc00::/7"),
  ...rows6("link_local", "fe80::/10"),
  ...rows6("site_local", "fec0::/10"),
  ...rows6("multicast", "ff00::/8"),
  ...rows6("documentation", "2001:db8::/32", "3fff::/20"),
  ...rows6("benchmarking", "2001:2::/48"),
  ...rows6("tunnel", "2002::/16", "2001::/32", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96"),
  ...rows6("reserved", "2001::/23"),
];

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4-mapped (RFC 4291) and NAT64 (RFC 6052): the system or the network connects to the embedded IPv4 address. */
const TRANSLATED = ["::ffff:0:0/96", "64:ff9b::/96"].map(range => ipaddr.IPv6.parseCIDR(range));

/** Parses an address as resolvers return it, including a zone. Returns undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!isIPv6(bare)) return undefined;
  // Normalizes to hexadecimal groups, because ipaddr.js reads the dotted ::1.2.3.4 as ::ffff:1.2.3.4, to which a socket
  // does not connect.
  return ipaddr.IPv6.parse(new URL(`http://[${bare}]`).hostname.slice(1, -1));
}

/**
 * The IPv4 address that a connection to this IPv6 address reaches; undefined if the address is not a translated one.
 */
export function translatedIpv4(address: Address): ipaddr.IPv4 | undefined {
  const translated = address instanceof ipaddr.IPv6 && TRANSLATED.some(range => address.match(...range));
  return translated ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined;
}

/** RFC 5214: with this interface identifier, some systems tunnel to the IPv4 address at its end. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [group = 0, ...rest] = address.toByteArray().slice(8, 12);
  return (group & 0xfd) === 0 && rest.join() === "0,94,254";
}

/** The rule that forbids an address outside the public internet; undefined for a public address. */
export function specialRange(address: Address): OutboundRule | undefined {
  if (address instanceof ipaddr.IPv4) return IPV4.find(([range]) => address.match(...range))?.[1];
  const inner = translatedIpv4(address);
  if (inner) return specialRange(inner);
  const own = IPV6.find(([range]) => address.match(...range))?.[1];
  if (own) return own;
  if (!address.match(...GLOBAL_UNICAST)) return "reserved";
  return isIsatap(address) ? "tunnel" : undefined;
}
