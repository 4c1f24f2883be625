import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Cloud services that answer on addresses which look public: Azure's platform endpoint. */
const METADATA = ipaddr.IPv4.parse("168.63.129.16");
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Deprecated, but some systems still route it to the IPv4 address within. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

const WORDS: Record<string, string> = {
  unspecified: "an unspecified",
  broadcast: "a broadcast",
  multicast: "a multicast",
  linkLocal: "a link-local or metadata",
  loopback: "a loopback",
  carrierGradeNat: "a carrier-grade NAT",
  private: "a private",
  uniqueLocal: "a private",
};

/** Reads an address as resolvers give it, zone included. Undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return bare.includes(":") && ipaddr.IPv6.isValid(bare) ? ipaddr.IPv6.parse(bare) : undefined;
}

const ipv4At = (address: ipaddr.IPv6, byte: number) => new ipaddr.IPv4(address.toByteArray().slice(byte, byte + 4));

/** The IPv4 address that an IPv6 address leads to: mapped, compatible, NAT64 and 6to4. */
export function embeddedIpv4(address: Address): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const range = address.range();
  if (range === "ipv4Mapped" || address.match(NAT64)) return ipv4At(address, 12);
  if (range === "6to4") return ipv4At(address, 2);
  const special = range === "unspecified" || range === "loopback";
  return address.match(IPV4_COMPATIBLE) && !special ? ipv4At(address, 12) : undefined;
}

/**
 * What kind of address this is when it is none on the public internet ("a loopback", "a private" …), else undefined.
 * By the special-purpose registries of IANA; of IPv6 only global unicast (2000::/3) is public.
 */
export function specialRange(address: Address): string | undefined {
  const inner = embeddedIpv4(address);
  if (inner) return specialRange(inner);
  const range = address.range();
  if (range !== "unicast") return WORDS[range] ?? "a reserved";
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) ? undefined : "a reserved";
  return address.match(METADATA, 32) ? "a link-local or metadata" : undefined;
}
