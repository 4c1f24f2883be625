import { Sealer } from "../../adapters/secrets/sealer.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { firstIdAt, timeOfId } from "../../core/id-time.ts";
import { v7 as uuid } from "uuid";

const SECRET = "a secret for tests that is long enough for anything";
const sealer = new Sealer(SECRET, "tests");

describe("what is sealed", () => {
  it.each(["", "plain", "grüße 🧵", "x".repeat(100_000)])("opens to what it was", text => {
    expect(sealer.open(sealer.seal(text, "here"), "here")).toBe(text);
  });

  it("shows nothing, and never looks the same", () => {
    const sealed = [1, 2].map(() => sealer.seal("the very secret text", "here"));
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(Buffer.from(sealed[0]!, "base64url").toString("latin1")).not.toContain("secret");
  });

  it("opens in no other place, for no other purpose, under no other secret", () => {
    const sealed = sealer.seal("text", "here");
    expect(() => sealer.open(sealed, "there")).toThrow();
    expect(() => new Sealer(SECRET, "others").open(sealed, "here")).toThrow();
    expect(() => new Sealer(`${SECRET}!`, "tests").open(sealed, "here")).toThrow();
  });

  it("does not open once any byte of it was changed, or is missing", () => {
    const bytes = Buffer.from(sealer.seal("text", "here"), "base64url");
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(() => sealer.open(changed.toString("base64url"), "here")).toThrow();
      expect(() => sealer.open(bytes.subarray(0, i).toString("base64url"), "here")).toThrow();
    }
  });
});

describe("canonical JSON", () => {
  it("is the same for all spellings of a value, and for no two values", () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: "x" })).toBe(canonicalJson({ a: "x", b: [{ c: null, d: 1 }] }));
    const values = [
      { a: 1 },
      { a: "1" },
      { b: 1 },
      [{ a: 1 }],
      { a: [1] },
      { a: 1, b: 2 },
      [1, 2],
      [2, 1],
      null,
      "null",
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });
});

describe("the time of an id", () => {
  it("is when it was made, and bounds those made before and after", () => {
    const made = new Date("2026-03-04T05:06:07.089Z");
    const id = uuid({ msecs: made.getTime() });
    expect(timeOfId(id)).toEqual(made);
    expect(firstIdAt(made) <= id).toBe(true);
    expect(firstIdAt(new Date(made.getTime() + 1)) > id).toBe(true);
    expect(firstIdAt(new Date("1969-01-01T00:00:00Z"))).toBe(firstIdAt(new Date(0)));
  });
});
