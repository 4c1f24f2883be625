import { createSandbox } from "../../adapters/sandbox/index.ts";

const sandbox = createSandbox({ processes: 1 });
afterAll(() => sandbox.close());
const output = async (code: string, input: unknown = null) =>
  (await sandbox.run({ code, globals: { input, steps: {} }, timeoutMs: 5_000, group: "w" })).output;

test.each<[string, unknown]>([
  ["crypto.digest('sha256', '')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["crypto.digest('SHA-1', new TextEncoder().encode('é'), 'base64')", "vxW+cXrBsIC08cRWaSgliR/1Bz0="],
  ["[...crypto.digest('md5', 'a', 'bytes')].length", 16],
  [
    "crypto.hmac('sha256', 'Jefe', 'what do ya want for nothing?')",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  ["/^[\\da-f-]{36}$/.test(crypto.randomUUID()) && crypto.randomUUID() !== crypto.randomUUID()", true],
  ["[...new TextEncoder().encode('a%é😀\\ud800')]", [97, 37, 195, 169, 240, 159, 152, 128, 239, 191, 189]],
  ["new TextDecoder().decode(new TextEncoder().encode('a%é漢😀'))", "a%é漢😀"],
  ["new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 65, 0xff, 0xe2, 0x82, 66]))", "A\ufffd\ufffdB"],
  ["[btoa('weft'), btoa('a'), btoa(''), atob('d2VmdA=='), atob('YQ')]", ["d2VmdA==", "YQ==", "", "weft", "a"]],
  ["new URL('../b?x=1#f', 'https://u:p@example.com:444/a/c').href", "https://u:p@example.com:444/b?x=1#f"],
  ["JSON.stringify(new URL('https://example.com'))", '"https://example.com/"'],
  ["URL.canParse('x')", false],
  ["[...new URLSearchParams({ a: 'ä b', c: 1 })].join(';')", "a,ä b;c,1"],
  ["String(new URLSearchParams('?a=1&a=2'))", "a=1&a=2"],
  ["new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', hour: 'numeric' }).format(0)", "9 AM"],
])("%s", async (expression, expected) => expect(await output(`return ${expression}`)).toEqual(expected));

test("updates an address with its query, and the query with the address", async () => {
  const code = `
    const url = new URL("http://example.com/?a=1");
    url.searchParams.append("b", "x y");
    url.searchParams.set("a", "2");
    const first = url.href;
    url.search = "?c=3";
    url.hostname = "example.org";
    return [first, url.searchParams.get("c"), url.searchParams.get("a"), url.host, Object.keys(url).length];`;
  expect(await output(code)).toEqual(["http://example.com/?a=2&b=x+y", "3", null, "example.org", 0]);
});

test("clones values with their shared parts", async () => {
  const code = `
    const shared = { at: new Date(5) };
    const value = { a: shared, b: [shared], map: new Map([[1, shared]]), bytes: new Uint8Array([1, 2]) };
    value.self = value;
    const clone = structuredClone(value);
    clone.a.at.setTime(6);
    let refused;
    try { structuredClone(() => 1); } catch (error) { refused = error.name; }
    return [clone.self === clone, clone.b[0] === clone.a, clone.map.get(1) === clone.a, shared.at.getTime(), refused];`;
  expect(await output(code)).toEqual([true, true, true, 5, "TypeError"]);
});

test.each(["crypto.digest('crc', '')", "new URL('nowhere')", "atob('***')", "btoa('漢')", "new TextDecoder('utf-16')"])(
  "%s throws",
  async expression => {
    const code = `try { ${expression}; return "nothing"; } catch (error) { return error instanceof Error; }`;
    expect(await output(code)).toBe(true);
  },
);
