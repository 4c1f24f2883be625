import { prepareHeaders, redirectedHeaders } from "../../adapters/net/outbound-headers.ts";
import { createOutboundPolicy } from "../../adapters/net/outbound-policy.ts";

const none = createOutboundPolicy([]);
const verdict = (url: string, policy = none) => policy.refuseUrl(new URL(url));
const resolved = (address: string, policy = none, host = "some.example", port = "80") =>
  policy.refuseAddress(address, host, port);

describe("addresses", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.255.0.3", "loopback"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.100.100.200", "carrier-grade NAT"],
    ["169.254.169.254", "metadata"],
    ["168.63.129.16", "metadata"],
    ["192.0.0.192", "reserved"],
    ["192.0.2.1", "reserved"],
    ["192.88.99.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["198.51.100.1", "reserved"],
    ["203.0.113.1", "reserved"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:a9fe:a9fe", "metadata"],
    ["::127.0.0.1", "loopback"],
    ["::ffff:0:7f00:1", "reserved"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::a9fe:a9fe", "metadata"],
    ["64:ff9b:1::1", "reserved"],
    ["2002:7f00:1::1", "loopback"],
    ["2002:a00:1::", "private"],
    ["2001::1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["3fff::1", "reserved"],
    ["5f00::1", "reserved"],
    ["100::1", "reserved"],
    ["4000::1", "reserved"],
    ["fc00::1", "private"],
    ["fd00:ec2::254", "private"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["fec0::1", "reserved"],
    ["ff02::1", "multicast"],
    ["not an address", "no address"],
    ["", "no address"],
    ["0x7f.1", "no address"],
  ])("%s is refused", (address, word) => expect(resolved(address)).toContain(word));

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "::ffff:8.8.8.8",
  ])("%s is public", address => expect(resolved(address)).toBeUndefined());
});

describe("URLs", () => {
  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://①②⑦.0.0.1/",
    "http://127.0.0.1./",
    "http://localhost/",
    "http://LOCALHOST./",
    "https://a.localhost:8443/",
    "http://169.254.169.254/latest/meta-data",
    "http://[fd00:ec2::254]/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "http://user:pass@example.com/",
    "http://user@example.com/",
  ])("%s is refused", url => expect(verdict(url)).toEqual(expect.any(String)));

  test.each([
    "https://example.com/",
    "http://example.com:8080/a?b=c#d",
    "http://93.184.216.34/",
    "http://[2606:4700::1111]/",
  ])("%s is not", url => expect(verdict(url)).toBeUndefined());
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
  ])("%s lets %s through: %s", (entry, url, through) => {
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
  ])("the bad entry %j is named", entry =>
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
  ])("%s is not the caller's to set", name => {
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
  ])("%j: %j is refused", (name, value) => {
    expect(() => prepareHeaders({ [name]: value }, "gzip")).toThrow(/not allowed/);
  });

  test("number and size are bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`x-${i}`, "a"]));
    expect(() => prepareHeaders(many, "gzip")).toThrow(/more than 100/);
    expect(() => prepareHeaders({ x: "a".repeat(20_000) }, "gzip")).toThrow(/more than 16384/);
  });

  test("names are lower case, and the caller's go before ours", () => {
    expect(prepareHeaders({ "User-Agent": "me", "X-A": "é" }, "gzip")).toEqual({
      "user-agent": "me",
      accept: "*/*",
      "accept-encoding": "gzip",
      "x-a": "é",
    });
  });

  test("another origin gets nothing that may be a credential", () => {
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
