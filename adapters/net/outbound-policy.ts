import { trimEnd } from "../../contracts/trim-end.ts";
import { parseAddress, specialRange } from "./address-range.ts";
import { isBelow, readExceptions } from "./outbound-allow.ts";
import type { OutboundRule, Refusal } from "./rules.ts";

export interface OutboundPolicy {
  /** Why a URL may not be called, as far as this is known without resolving its name. */
  refuseUrl(url: URL): Refusal | undefined;
  /** Why a connection to an address is forbidden. `host` resolved to the address. */
  refuseAddress(address: string, host: string, port: string): Refusal | undefined;
}

/** Names under which cloud machines request credentials. All names below them count too. */
const METADATA_NAMES = [
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.azure.com",
  "instance-data.ec2.internal",
  "instance-data",
  "metadata.oraclecloud.com",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata",
];

const WORDS: Partial<Record<OutboundRule, string>> = {
  loopback: "a loopback",
  this_network: "an unspecified",
  private: "a private",
  carrier_nat: "a carrier-grade NAT",
  link_local: "a link-local",
  site_local: "a private",
  metadata: "a metadata",
  multicast: "a multicast",
  broadcast: "a broadcast",
  documentation: "a documentation",
  benchmarking: "a benchmarking",
  tunnel: "a tunnel",
  reserved: "a reserved",
};

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");
const bareName = (host: string) => trimEnd(host.toLowerCase(), ".");

const UNLESS = "which may not be called unless OUTBOUND_ALLOW lists";

/**
 * Reads the exceptions once. A metadata service is reachable only through an entry that is exactly its name or address,
 * because an operator who allows a network does not mean to expose credentials.
 * @throws {OutboundAllowError} when an entry cannot be read.
 */
export function createOutboundPolicy(allow: readonly string[]): OutboundPolicy {
  const { hostListed, hostAllowed, addressAllowed } = readExceptions(allow);

  const refuseAddress = (text: string, host: string, port: string): Refusal | undefined => {
    const name = bareName(host);
    const address = parseAddress(text);
    if (!address) return { rule: "no_address", says: `"${name}" resolves to something that is not an address` };
    const rule = specialRange(address);
    if (rule === undefined) return undefined;
    const exactly = rule === "metadata";
    if (exactly ? hostListed(name, port) : hostAllowed(name, port)) return undefined;
    if (addressAllowed(address, port, exactly)) return undefined;
    const is = parseAddress(host) ? "is" : "resolves to";
    return { rule, says: `"${name}" ${is} ${WORDS[rule]} address, ${UNLESS} it${exactly ? " by itself" : ""}` };
  };

  const refuseName = (name: string, port: string): Refusal | undefined => {
    if ((name === "localhost" || isBelow(name, "localhost")) && !hostAllowed(name, port))
      return { rule: "local_name", says: `"${name}" is this machine, ${UNLESS} the name` };
    if (METADATA_NAMES.some(known => name === known || isBelow(name, known)) && !hostListed(name, port))
      return { rule: "metadata_name", says: `"${name}" gives away credentials, ${UNLESS} the name by itself` };
    return undefined;
  };

  return {
    refuseAddress,
    refuseUrl(url) {
      if (url.protocol !== "http:" && url.protocol !== "https:")
        return { rule: "scheme", says: `only http and https may be called, not ${url.protocol.slice(0, 40)}` };
      if (url.username !== "" || url.password !== "")
        return { rule: "credentials", says: "a URL may not hold credentials: send a header instead" };
      const name = bareName(url.hostname);
      if (name === "") return { rule: "url", says: "the URL names no host" };
      const port = portOf(url);
      return parseAddress(name) ? refuseAddress(name, name, port) : refuseName(name, port);
    },
  };
}
