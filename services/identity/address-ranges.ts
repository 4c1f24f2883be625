import { BlockList, isIP } from "node:net";

/** An IPv4 address in the IPv6 form that sockets use. */
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

/** Every request with a cached key passes the same array, so its list is created once. */
const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of these addresses and ranges. The array must not be changed after the first call. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (isIP(plain) === 0) return false;
  const list = lists.get(ranges) ?? listOf(ranges);
  lists.set(ranges, list);
  return list.check(plain, familyOf(plain));
}
