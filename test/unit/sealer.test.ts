import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { fixedKeys, Keyring } from "../../adapters/secrets/keyring.ts";
import { keyIdOf, Sealer, UnknownKeyError } from "../../adapters/secrets/sealer.ts";
import { canonicalJson } from "../../core/json.ts";
import { firstIdAt, timeOfId } from "../../core/id-time.ts";
import { v7 as uuid } from "uuid";

const SECRET = "a secret for tests that is long enough for anything";
const sealer = new Sealer(fixedKeys(SECRET), "tests");

describe("a sealed value", () => {
  it.each(["", "plain", "grüße 🧵", "x".repeat(100_000)])("opens to the original value", text => {
    expect(sealer.open(sealer.seal(text, "here"), "here")).toBe(text);
  });

  it("reveals nothing, and differs each time", () => {
    const sealed = [1, 2].map(() => sealer.seal("the very secret text", "here"));
    expect(sealed[0]).not.toBe(sealed[1]);
    const [id, body = ""] = sealed[0]!.split(".");
    expect(id).toMatch(/^[\w-]{8}$/);
    expect(Buffer.from(body, "base64url").toString("latin1")).not.toContain("secret");
  });

  it("does not open at another place, for another purpose, or with another secret", () => {
    const sealed = sealer.seal("text", "here");
    expect(() => sealer.open(sealed, "there")).toThrow();
    expect(() => new Sealer(fixedKeys(SECRET), "others").open(sealed, "here")).toThrow();
    expect(() => new Sealer(fixedKeys(`${SECRET}!`), "tests").open(sealed, "here")).toThrow();
  });

  it("does not open if any byte was changed or is missing", () => {
    const [id, body = ""] = sealer.seal("text", "here").split(".");
    const bytes = Buffer.from(body, "base64url");
    const opens = (changed: Buffer) => sealer.open(`${id}.${changed.toString("base64url")}`, "here");
    expect(opens(bytes)).toBe("text");
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(() => opens(changed)).toThrow();
      expect(() => opens(bytes.subarray(0, i))).toThrow();
    }
  });
});

/** As texts were sealed before keys had ids. */
function sealWithoutId(secret: string, text: string): string {
  const nonce = randomBytes(12);
  const key = Buffer.from(hkdfSync("sha256", secret, "", "weft tests", 32));
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("here"));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

describe("a sealer with several keys", () => {
  const FORMER = "the former secret, which is long enough for anything";
  const former = new Sealer(fixedKeys(FORMER), "tests");
  const both = new Sealer(fixedKeys(SECRET, FORMER), "tests");

  it("seals with the first key and opens with any", () => {
    const old = former.seal("old", "here");
    expect(both.open(old, "here")).toBe("old");
    const fresh = both.seal("fresh", "here");
    expect(keyIdOf(fresh)).toBe(keyIdOf(sealer.seal("x", "here")));
    expect(keyIdOf(fresh)).not.toBe(keyIdOf(old));
    expect(sealer.open(fresh, "here")).toBe("fresh");
    expect(() => sealer.open(old, "here")).toThrow(UnknownKeyError);
    expect(() => sealer.open(old, "here")).toThrow(`sealed under the key ${keyIdOf(old)}`);
  });

  it("does not open with another key than the named one", () => {
    const sealed = both.seal("text", "here");
    expect(() => both.open(sealed.replace(/^[^.]+/, keyIdOf(former.seal("x", "here"))!), "here")).toThrow();
  });

  it("opens values that were sealed before keys had ids", () => {
    for (const secret of [SECRET, FORMER]) expect(both.open(sealWithoutId(secret, "old"), "here")).toBe("old");
    expect(keyIdOf(sealWithoutId(SECRET, "old"))).toBeNull();
    expect(() => sealer.open(sealWithoutId(FORMER, "old"), "here")).toThrow();
  });

  it("seals with a new key as soon as there is one, and keeps known keys", () => {
    let secrets = [FORMER];
    const reads: string[][] = [];
    const read = () => (reads.push(secrets), secrets);
    const running = new Sealer(new Keyring({ read, version: () => secrets.join() }), "tests");
    const old = running.seal("old", "here");
    secrets = [SECRET, FORMER];
    expect(sealer.open(running.seal("new", "here"), "here")).toBe("new");
    secrets = [SECRET];
    expect(running.open(old, "here")).toBe("old");
    expect(sealer.open(running.seal("newer", "here"), "here")).toBe("newer");
    expect(reads).toEqual([[FORMER], [SECRET, FORMER], [SECRET]]);
  });

  it("loads a key that it does not know yet", () => {
    let secrets = [SECRET];
    const running = new Sealer(new Keyring({ read: () => secrets, version: () => secrets.join() }), "tests");
    const ahead = former.seal("ahead", "here");
    expect(() => running.open(ahead, "here")).toThrow(UnknownKeyError);
    secrets = [FORMER, SECRET];
    expect(running.open(ahead, "here")).toBe("ahead");
  });
});

describe("canonical JSON", () => {
  it("is the same for all spellings of a value, and different for different values", () => {
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
  it("is the time of its creation, and separates earlier and later ids", () => {
    const made = new Date("2026-03-04T05:06:07.089Z");
    const id = uuid({ msecs: made.getTime() });
    expect(timeOfId(id)).toEqual(made);
    expect(firstIdAt(made) <= id).toBe(true);
    expect(firstIdAt(new Date(made.getTime() + 1)) > id).toBe(true);
    expect(firstIdAt(new Date("1969-01-01T00:00:00Z"))).toBe(firstIdAt(new Date(0)));
  });
});
