import { prepareHeaders, redirectedHeaders } from "../../adapters/net/outbound-headers.ts";
import { createOutboundPolicy } from "../../adapters/net/outbound-policy.ts";
import type { OutboundRule } from "../../adapters/net/rules.ts";

const none = createOutboundPolicy([]);
const verdict = (url: string, policy = none) => policy.refuseUrl(new URL(url));
const resolved = (address: string, policy = none, host = "some.example", port = "80") =>
  policy.refuseAddress(address, host, port);

describe("addresses", () => {
  test.each<[OutboundRule, string[]]>([
    ["loopback", ["127.0.0.1", "127.255.0.3", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "::1%lo"]],
    ["this_network", ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0", "64:ff9b::"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1", "::ffff:a00:1"]],
    ["carrier_nat", ["100.64.0.1", "100.127.255.255", "64:ff9b::100.64.0.1"]],
    ["link_local", ["169.254.0.1", "169.254.169.253", "fe80::1", "fe80::1%eth0", "febf::1"]],
    ["site_local", ["fec0::1", "feff::1"]],
    ["metadata", ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "169.254.170.2"]],
    ["metadata", ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42", "fe80::a9fe:a9fe%eth0"]],
    ["metadata", ["::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "::FFFF:169.254.169.254"]],
    ["multicast", ["224.0.0.1", "239.255.255.250", "ff02::1"]],
    ["broadcast", ["255.255.255.255", "::ffff:ffff:ffff"]],
    ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
    ["benchmarking", ["198.18.0.1", "198.19.255.255", "2001:2::1"]],
    ["tunnel", ["::127.0.0.1", "::8.8.8.8", "2002:7f00:1::1", "2002:808:808::1", "2001::1", "64:ff9b:1::808:808"]],
    ["tunnel", ["::ffff:0:127.0.0.1", "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:8.8.8.8"]],
    [
      "reserved",
      ["192.0.0.1", "192.88.99.1", "240.0.0.1", "100::1", "4000::1", "5f00::1", "2001:10::1", "64:ff9b:2::"],
    ],
    ["no_address", ["not an address", "", "0x7f.1", "127.1", "2130706433", "1.2.3.4.5", "127.0.0.1.", "::1::"]],
  ])("%s: %j", (rule, addresses) =>
    expect(addresses.map(one => resolved(one)?.rule)).toEqual(addresses.map(() => rule)),
  );

  test.each([
    [
      "1.1.1.1",
      "8.8.8.8",
      "9.255.255.255",
      "11.0.0.0",
      "172.15.255.255",
      "172.32.0.1",
      "100.63.255.255",
      "100.128.0.1",
    ],
    [
      "126.255.255.255",
      "128.0.0.0",
      "169.253.255.255",
      "169.255.0.0",
      "192.167.255.255",
      "192.169.0.0",
      "223.255.255.255",
    ],
    ["2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::808:808", "::ffff:8.8.8.8", "2001:4860:4860::8888"],
  ])("include %s and others among the public ones", (...addresses) => {
    expect(addresses.filter(one => resolved(one) !== undefined)).toEqual([]);
  });
});

describe("URLs", () => {
  test.each([
    ["http://127.0.0.1/", "loopback"],
    ["http://2130706433/", "loopback"],
    ["http://0x7f000001/", "loopback"],
    ["http://0177.0.0.1/", "loopback"],
    ["http://127.1/", "loopback"],
    ["http://0/", "this_network"],
    ["http://[::1]/", "loopback"],
    ["http://[0:0:0:0:0:ffff:7f00:1]/", "loopback"],
    ["http://①②⑦.0.0.1/", "loopback"],
    ["http://１２７。０。０。１/", "loopback"],
    ["http://127.0.0.1./", "loopback"],
    ["http://1\u00ad27.0.0.1/", "loopback"],
    ["http://%31%32%37.1/", "loopback"],
    ["http:\\\\127.1\\@example.com/", "loopback"],
    ["http://localhost/", "local_name"],
    ["http://LOCALHOST./", "local_name"],
    ["http://localhost../", "local_name"],
    ["http://ⓛocalhost/", "local_name"],
    ["https://a.localhost:8443/", "local_name"],
    ["http://169.254.169.254/latest/meta-data", "metadata"],
    ["http://0xA9FEA9FE/", "metadata"],
    ["http://[fd00:ec2::254]/", "metadata"],
    ["http://metadata.google.internal/computeMetadata/v1/", "metadata_name"],
    ["http://METADATA.google.internal./", "metadata_name"],
    ["http://metadata/", "metadata_name"],
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["data:text/plain,x", "scheme"],
    ["gopher://127.0.0.1:6379/_x", "scheme"],
    ["ws://example.com/", "scheme"],
    ["unix:/var/run/docker.sock", "scheme"],
    ["http://user:pass@example.com/", "credentials"],
    ["http://user@example.com/", "credentials"],
    ["http://:pass@example.com/", "credentials"],
    ["http://example.com%40@127.0.0.1/", "credentials"],
  ])("are rejected by the rule for %s: %s", (url, rule) => expect(verdict(url)?.rule).toBe(rule));

  test.each([
    "https://example.com/",
    "http://example.com:8080/a?b=c#d",
    "http://93.184.216.34/",
    "http://[2606:4700::1111]/",
    "http://localhost.example.com/",
    "http://mylocalhost/",
    "http://127.0.0.1.example.com/",
  ])("are accepted: %s", url => expect(verdict(url)).toBeUndefined());
});

describe("exceptions", () => {
  test.each([
    ["127.0.0.1", "http://127.0.0.1:81/", true],
    ["127.0.0.1/32", "http://127.0.0.1:81/", true],
    ["127.0.0.1/32", "http://[::ffff:127.0.0.1]/", true],
    ["127.0.0.1/32", "http://127.0.0.2/", false],
    ["127.0.0.1:81", "http://127.0.0.1:81/", true],
    ["127.0.0.1:81", "http://127.0.0.1/", false],
    ["[::1]:81", "http://[::1]:81/", true],
    ["::1", "http://[::1]/", true],
    ["fd00::/8", "http://[fd12::1]/", true],
    ["10.0.0.0/8", "http://[::1]/", false],
    ["10.1.2.3/8", "http://10.200.0.1/", true],
    ["localhost", "http://localhost:3000/", true],
    ["localhost:80", "http://localhost:3000/", false],
    ["localhost:80", "http://localhost/", true],
    ["localhost:443", "https://localhost/", true],
    ["*.localhost", "http://a.localhost/", true],
    ["*.localhost", "http://localhost/", false],
    ["127.0.0.0/8", "http://localhost/", false],
    ["0.0.0.0/0", "ftp://127.0.0.1/", false],
    ["0.0.0.0/0", "http://u:p@127.0.0.1/", false],
    ["127.0.0.1:0081", "http://127.0.0.1:81/", true],
    ["127.0.0.1:443", "https://127.0.0.1/", true],
    ["127.0.0.1:443", "http://127.0.0.1/", false],
    ["127.0.0.1", "http://[64:ff9b::7f00:1]/", true],
    ["127.0.0.1", "http://[2002:7f00:1::]/", false],
    ["127.0.0.1", "http://[::127.0.0.1]/", false],
    ["169.254.169.254", "http://169.254.169.254/", true],
    ["169.254.169.254:80", "http://169.254.169.254/", true],
    ["169.254.0.0/16", "http://169.254.0.9/", true],
    ["169.254.0.0/16", "http://169.254.169.254/", false],
    ["0.0.0.0/0", "http://[::ffff:169.254.169.254]/", false],
    ["::/0", "http://[fd00:ec2::254]/", false],
    ["fd00:ec2::254", "http://[fd00:ec2::254]/", true],
    ["*.internal", "http://metadata.google.internal/", false],
    ["metadata.google.internal", "http://metadata.google.internal/", true],
    ["metadata.google.internal:8080", "http://metadata.google.internal/", false],
  ])("%s allows %s: %s", (entry, url, through) => {
    expect(verdict(url, createOutboundPolicy([entry])) === undefined).toBe(through);
  });

  test.each([
    ["db.internal", "db.internal", "5432", true],
    ["DB.internal.", "db.internal", "80", true],
    ["db.internal:5432", "db.internal", "80", false],
    ["*.internal", "a.b.internal", "80", true],
    ["*.internal", "internal", "80", false],
    ["*.internal", "notinternal", "80", false],
    ["bücher.example", "xn--bcher-kva.example", "80", true],
    ["10.0.0.0/8", "anything.example", "80", true],
    ["10.0.0.5:8080", "anything.example", "80", false],
  ])("%s lets the name %s (port %s) resolve to a private address: %s", (entry, host, port, through) => {
    expect(resolved("10.0.0.5", createOutboundPolicy([entry]), host, port) === undefined).toBe(through);
  });

  test.each([
    "",
    " ",
    "*",
    "http://x",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10/8",
    "::1/129",
    "a b",
    "x:0",
    "x:99999",
    "1.2.3",
    "-x",
    "a..b",
    "*.",
    "0x7f.1",
  ])("name the invalid entry %j", entry =>
    expect(() => createOutboundPolicy(["ok.example", entry])).toThrow(`OUTBOUND_ALLOW: "${entry}" is no`),
  );
});

describe("headers", () => {
  test.each([
    "Host",
    "Connection",
    "content-length",
    "Transfer-Encoding",
    "Proxy-Authorization",
    "proxy-connection",
    "TE",
    "Trailer",
    "Upgrade",
    "Keep-Alive",
    "Expect",
  ])("do not let the caller set %s", name => {
    expect(() => prepareHeaders({ [name]: "x" }, "gzip")).toThrow(`"${name}" is set by us`);
  });

  test.each([
    ["x", "a\r\nhost: b"],
    ["x", "a\nb"],
    ["x", "a\0"],
    ["x", "☃"],
    ["x\r\ny", "a"],
    ["x y", "a"],
    ["", "a"],
    ["x:", "a"],
  ])("reject %j: %j", (name, value) => {
    expect(() => prepareHeaders({ [name]: value }, "gzip")).toThrow(/not allowed/);
  });

  test("are limited in number and size", () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`x-${i}`, "a"]));
    expect(() => prepareHeaders(many, "gzip")).toThrow(/more than 100/);
    expect(() => prepareHeaders({ x: "a".repeat(20_000) }, "gzip")).toThrow(/more than 16384/);
  });

  test("are in lower case, and the caller's come before ours", () => {
    expect(prepareHeaders({ "User-Agent": "me", "X-A": "é" }, "gzip")).toEqual({
      "user-agent": "me",
      accept: "*/*",
      "accept-encoding": "gzip",
      "x-a": "é",
    });
  });

  test("contain no possible credential for another origin", () => {
    const headers = {
      authorization: "a",
      cookie: "b",
      "x-api-key": "c",
      "x-auth-token": "d",
      accept: "e",
      "idempotency-key": "f",
    };
    expect(redirectedHeaders(headers, { crossOrigin: true, dropsBody: false })).toEqual({
      accept: "e",
      "idempotency-key": "f",
    });
    expect(redirectedHeaders(headers, { crossOrigin: false, dropsBody: false })).toEqual(headers);
    expect(redirectedHeaders({ "content-type": "x", a: "b" }, { crossOrigin: false, dropsBody: true })).toEqual({
      a: "b",
    });
  });
});
