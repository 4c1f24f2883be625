import fc from "fast-check";
import { errorCode } from "../../contracts/errors.ts";
import { isDeeper, MAX_DEPTH, parseJson } from "../../services/gateway/request/json.ts";

const parse = (text: string) => parseJson(Buffer.from(text));

function codeOf(text: string | Buffer): string | undefined {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    return errorCode(error);
  }
  return undefined;
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a JSON body", () => {
  it("is parsed as JSON.parse does", () => {
    // -0 has no JSON text of its own, and keys that reach for a prototype are refused.
    const harmless = fc
      .jsonValue({ noUnicodeString: false })
      .filter(value => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(harmless, value => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });

  it.each(["", "{", "nul", "{'a':1}", "[1,]", '{"a":1}}', "\u0000"])("that is invalid is malformed: %j", text => {
    expect(codeOf(text)).toBe("malformed_json");
  });

  it.each(["1e999", "-1e999", '{"a":[{"b":1E+400}]}', "9".repeat(400)])(
    "rejects a number beyond a double: %.30s",
    text => {
      expect(codeOf(text)).toBe("validation_failed");
    },
  );

  it.each(["1e308", "1e-999", '"1e999"', '{"e99":"1e999"}'])("accepts numbers that a double holds: %s", text => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"a":1,"b":{"c":[0,{"d":null,"d":null}]}}', "/b/c/1/d"],
    ['{"a":1,"\\u0061":2}', "/a"],
    ['{"":1, "" : 2}', "/"],
    ['[{"a":"x:\\"{","a" :[1]}]', "/0/a"],
    ['{"x":{"a":1},"y":[{},{"a":1}],"x":{}}', "/x"],
    ['{"toString":1,"toString":1}', "/toString"],
  ])("rejects a repeated key: %s", (text, path) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ data: { errors: [{ path, message: "Given more than once" }] } }) as Error,
    );
  });

  it.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a:":":","b":"\\":{\\"a\\":1}"}', '{"A":1,"a":1}'])(
    "accepts what only looks like a repeated key: %s",
    text => expect(parse(text)).toEqual(JSON.parse(text)),
  );

  it("is malformed if it is not UTF-8", () => {
    expect(codeOf(Buffer.from([0x22, 0xff, 0x22]))).toBe("malformed_json");
  });

  it("may have the maximum number of levels and not one more", () => {
    expect(codeOf(nested(MAX_DEPTH))).toBeUndefined();
    expect(codeOf(nested(MAX_DEPTH + 1))).toBe("json_too_deep");
  });

  it.each([10_000, 500_000])("is rejected at %d levels without exhausting the stack", depth => {
    expect(codeOf(nested(depth))).toBe("json_too_deep");
    expect(codeOf("[".repeat(depth))).toBe("json_too_deep");
    expect(codeOf('{"a":'.repeat(depth))).toBe("json_too_deep");
  });

  it("does not count brackets in strings, or levels that were closed", () => {
    expect(isDeeper(Buffer.from(JSON.stringify(`${"[".repeat(200)}"${"{".repeat(200)}\\`)), MAX_DEPTH)).toBe(false);
    expect(isDeeper(Buffer.from(`[${"[],".repeat(500)}[]]`), 2)).toBe(false);
    expect(isDeeper(Buffer.from(`["\\\\",${nested(120)}]`), MAX_DEPTH)).toBe(true);
  });

  it.each([
    ['{"__proto__":{"admin":true}}', "/__proto__"],
    ['{"a":[{"\\u005f_proto__":1}]}', "/a/0/__proto__"],
    ['{"a":{"constructor":{"prototype":{}}}}', "/a/constructor/prototype"],
  ])("is rejected with a key that names a prototype: %s", (text, path) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ data: { errors: [expect.objectContaining({ path })] } }),
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it("may contain the names of prototypes in values, and a key named constructor", () => {
    expect(parse('{"a":"__proto__","constructor":"Brunel"}')).toEqual({ a: "__proto__", constructor: "Brunel" });
  });
});
