import { BlockList, isIP } from "node:net";

/** An IPv4 address that a socket shows as IPv6. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const familyOf = (address: string) => (isIP(address) === 4 ? ("ipv4" as const) : ("ipv6" as const));

/** Whether an address is in one of these addresses and ranges. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const [plain = ""] = [MAPPED.exec(address)?.[1] ?? address];
  if (isIP(plain) === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    if (bits === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list.check(plain, familyOf(plain));
}
