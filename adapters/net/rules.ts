/** Every rule that refuses a call before it is made: its name, which ends the message, and what it forbids. */
export const RULES = {
  url: "text that is not a URL, and URLs that are too long",
  scheme: "schemes other than http and https",
  credentials: "a user name or password in a URL",
  method: "methods that no workflow needs, such as CONNECT and TRACE",
  header: "headers that delimit the message or are not valid, and too many headers",
  local_name: "names of this machine: localhost and its subdomains",
  metadata_name: "names of metadata services of clouds, which return credentials",
  no_address: "names that resolve to no address",
  loopback: "addresses of this machine: 127.0.0.0/8, ::1",
  this_network: "unspecified addresses: 0.0.0.0/8, ::",
  private: "private networks: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7",
  carrier_nat: "carrier-grade NAT: 100.64.0.0/10",
  link_local: "link-local addresses: 169.254.0.0/16, fe80::/10",
  site_local: "deprecated site-local addresses: fec0::/10",
  metadata: "addresses of metadata services",
  multicast: "multicast addresses: 224.0.0.0/4, ff00::/8",
  broadcast: "the broadcast address: 255.255.255.255",
  documentation: "addresses for examples: 192.0.2.0/24, 2001:db8::/32 and others",
  benchmarking: "networks for benchmarks: 198.18.0.0/15, 2001:2::/48",
  tunnel: "IPv6 addresses of tunnels and translators to IPv4: 2002::/16, 2001::/32, 64:ff9b:1::/48 and others",
  reserved: "all other addresses that are not on the public internet",
} as const;

export type OutboundRule = keyof typeof RULES;

/** A rule that forbids a call, and a sentence with the finding. */
export interface Refusal {
  rule: OutboundRule;
  says: string;
}
