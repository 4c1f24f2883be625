import fc from "fast-check";
import { RULES } from "../../adapters/net/rules.ts";
import { call, closeAll, failure, guard } from "../support/outbound.ts";

afterAll(closeAll);

const byte = fc.integer({ min: 0, max: 255 });
const from = (low: number, high: number) => fc.integer({ min: low, max: high });
const quad = (...bytes: fc.Arbitrary<number>[]) => fc.tuple(...bytes);
const is = (value: number) => fc.constant(value);

/** IPv4 addresses that nothing may call. */
const forbidden = fc.oneof(
  quad(is(127), byte, byte, byte),
  quad(is(10), byte, byte, byte),
  quad(is(172), from(16, 31), byte, byte),
  quad(is(192), is(168), byte, byte),
  quad(is(169), is(254), byte, byte),
  quad(is(100), from(64, 127), byte, byte),
  quad(is(198), from(18, 19), byte, byte),
  quad(is(0), byte, byte, byte),
  quad(from(224, 255), byte, byte, byte),
  quad(is(169), is(254), is(169), is(254)),
);

const RADIXES = [
  (value: number) => String(value),
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X${value.toString(16).toUpperCase()}`,
  (value: number) => `0x0000${value.toString(16)}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `000${value.toString(8)}`,
];
const FULL_WIDTH = (char: string) => String.fromCodePoint(char.codePointAt(0)! + 0xfee0);
/** What a URL makes of these is the plain character. */
const DISGUISES: ((char: string) => string)[] = [
  char => char,
  char => (/[\w]/.test(char) ? FULL_WIDTH(char) : char),
  char => (/\d/.test(char) && char !== "0" ? String.fromCodePoint(0x2460 + Number(char) - 1) : char),
  char => (char === "." ? "。" : char),
  char => (char === "." ? "．" : char),
  char => `%${char.codePointAt(0)!.toString(16).padStart(2, "0")}`,
  char => `${char}\u00ad`,
  char => `${char}\u200b`,
  char => `${char}\t`,
];

/** The last of 1 to 4 parts holds all bytes that are left, as `inet_aton` has it. */
const spelling = fc
  .record({
    bytes: forbidden,
    parts: from(1, 4),
    radixes: fc.array(fc.constantFrom(...RADIXES), { minLength: 4, maxLength: 4 }),
    disguises: fc.array(fc.constantFrom(...DISGUISES), { minLength: 60, maxLength: 60 }),
    disguised: fc.boolean(),
    dot: fc.constantFrom("", "."),
  })
  .map(({ bytes, parts, radixes, disguises, disguised, dot }) => {
    const rest = bytes.slice(parts - 1).reduce((sum, one) => sum * 256 + one, 0);
    const plain = [...bytes.slice(0, parts - 1), rest].map((value, at) => radixes[at]!(value)).join(".") + dot;
    return disguised ? [...plain].map((char, at) => disguises[at]!(char)).join("") : plain;
  });

const hex = (high = 0, low = 0) => (high * 256 + low).toString(16);
const PREFIXES = ["::ffff:", "0:0:0:0:0:FFFF:", "0000:0000::ffff:", "64:ff9b::", "64:ff9b:1::", "::ffff:0:", "::"];
const spelling6 = fc
  .record({ bytes: forbidden, prefix: fc.constantFrom(...PREFIXES), dotted: fc.boolean(), form: from(0, 3) })
  .map(({ bytes, prefix, dotted, form }) => {
    const [a, b, c, d] = bytes;
    const groups = `${hex(a, b)}:${hex(c, d)}`;
    if (form === 1) return `2002:${groups}::1`;
    if (form === 2) return `2001:0:1:2:3:4:${hex(a! ^ 255, b! ^ 255)}:${hex(c! ^ 255, d! ^ 255)}`;
    if (form === 3) return `2a00:1450::5efe:${groups}`;
    return prefix + (dotted ? bytes.join(".") : groups);
  });

const own6 = fc
  .record({
    head: fc.constantFrom("fc00", "fdab", "fe80", "febf", "fec0", "ff02", "2001:db8", "FE80", "0100", "4000"),
    tail: fc.array(from(1, 0xffff), { minLength: 1, maxLength: 5 }),
  })
  .map(({ head, tail }) => `${head}::${tail.map(group => group.toString(16)).join(":")}`);

const resolve = jest.fn(() => Promise.reject(new Error("Nobody should ask for it.")));
const strict = guard({ allow: [], resolve });

async function isRefused(url: string): Promise<void> {
  const { code, rule, message } = await failure(call(strict, url));
  expect({ url, code }).toEqual({ url, code: "outbound_refused" });
  expect(Object.keys(RULES)).toContain(rule);
  expect(message).toMatch(/^The call is not allowed: .+ \(rule: \w+\)$/);
  // A URL, not merely something that could not be read.
  expect(rule).not.toBe("url");
  expect(resolve).not.toHaveBeenCalled();
}

test("rejects every spelling of an IPv4 address that is not public", async () => {
  await fc.assert(
    fc.asyncProperty(spelling, host => isRefused(`http://${host}/`)),
    { numRuns: 1_000 },
  );
});

test("rejects it inside of an IPv6 address too", async () => {
  await fc.assert(
    fc.asyncProperty(spelling6, host => isRefused(`https://[${host}]:8443/`)),
    { numRuns: 500 },
  );
});

test("rejects an IPv6 address that is not public, in every spelling", async () => {
  await fc.assert(
    fc.asyncProperty(own6, fc.boolean(), (host, upper) => isRefused(`http://[${upper ? host.toUpperCase() : host}]/`)),
    { numRuns: 300 },
  );
});

test.each(["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%25lo]", "127.0.0.1 ", "4294967296", "0x1ffffffff", "256.0.0.1"])(
  "rejects %s as the host of a URL",
  async host => {
    expect(await failure(call(strict, `http://${host}/`))).toMatchObject({ code: "outbound_refused", rule: "url" });
  },
);

test("rejects a name if any address that it resolves to is forbidden", async () => {
  const PUBLIC = ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"];
  const lists = fc
    .tuple(
      fc.array(fc.constantFrom(...PUBLIC), { maxLength: 4 }),
      fc.oneof(
        forbidden.map(bytes => bytes.join(".")),
        own6.map(one => `${one}%eth0`),
        own6,
        fc.constantFrom("::1", "0x7f.1", ""),
      ),
      from(0, 4),
    )
    .map(([good, bad, at]) => good.toSpliced(at, 0, bad));
  await fc.assert(
    fc.asyncProperty(lists, async addresses => {
      const records = addresses.map(address => ({ address, family: address.includes(":") ? 6 : 4 }));
      const guarded = guard({ allow: [], resolve: () => Promise.resolve(records) });
      const error = await failure(call(guarded, "http://some.example/"));
      expect(error).toMatchObject({ code: "outbound_refused", message: expect.stringContaining("some.example") });
      for (const address of addresses) if (address) expect(error.message).not.toContain(address);
      await guarded.close();
    }),
    { numRuns: 200 },
  );
});
