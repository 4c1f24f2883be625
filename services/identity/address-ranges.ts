import { BlockList, isIP } from "node:net";

/** An IPv4 address that a socket shows as IPv6. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const familyOf = (address: string) => (isIP(address) === 4 ? ("ipv4" as const) : ("ipv6" as const));

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    if (bits === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
}

/** A key that stays in memory is read with the same array by every request, so its list is made once. */
const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of these addresses and ranges. The array must not change after the first call. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (isIP(plain) === 0) return false;
  const list = lists.get(ranges) ?? listOf(ranges);
  lists.set(ranges, list);
  return list.check(plain, familyOf(plain));
}
