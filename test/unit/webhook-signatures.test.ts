import { HMAC_PRESETS, type HmacPreset, schemeOf } from "../../contracts/entities/webhook-auth.ts";
import { checkSignature } from "../../service-kit/signature.ts";
import { secretOf, SENDER_NAMES, SENDERS } from "../support/webhook-senders.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const SECONDS = NOW / 1_000;

const check = (
  preset: HmacPreset,
  secrets: string[],
  delivery: { headers: Record<string, string>; body: Buffer | string },
  now = NOW,
) =>
  checkSignature(
    schemeOf({ type: "hmac", preset }),
    secrets,
    { headers: delivery.headers, body: Buffer.from(delivery.body) },
    now,
  );

const admitted = { signature: expect.any(String) as string };

describe("signatures that services document as examples", () => {
  it("GitHub: Hello, World!", () => {
    const headers = {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    };
    expect(check("github", ["It's a Secret to Everybody"], { headers, body: "Hello, World!" })).toEqual(admitted);
    expect(check("github", ["It's a Secret to Everybody"], { headers, body: "Hello, World?" })).toEqual({
      refused: "signature_wrong",
    });
  });

  it("Slack: a slash command", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    };
    const secret = "8f742231b10e8888abcd99yyyzzz85a5";
    expect(check("slack", [secret], { headers, body }, 1_531_420_618_000)).toEqual(admitted);
    expect(check("slack", [secret], { headers, body }, 1_531_420_619_000 + 300_000)).toEqual({
      refused: "timestamp_out_of_tolerance",
    });
  });

  it.each(["standard-webhooks", "svix"] as const)("Standard Webhooks: %s", preset => {
    const vendor = preset === "svix" ? "svix" : "webhook";
    const headers = {
      [`${vendor}-id`]: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      [`${vendor}-timestamp`]: "1614265330",
      [`${vendor}-signature`]: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const body = '{"test": 2432232314}';
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    expect(check(preset, [secret], { headers, body }, 1_614_265_330_000)).toEqual(admitted);
    const other = { ...headers, [`${vendor}-id`]: "msg_another" };
    expect(check(preset, [secret], { headers: other, body }, 1_614_265_330_000)).toEqual({
      refused: "signature_wrong",
    });
  });
});

// These services document the scheme without a whole example. OpenSSL made the signatures:
// printf '%s' "$SIGNED" | openssl dgst -sha256 -hmac "$SECRET" -hex, or -binary and base64.
describe("signatures of another implementation", () => {
  it("Stripe: signs the time and the body, beside signatures of a retired key and of the old scheme", () => {
    const body = '{"id":"evt_1NG8Du2eZvKYlo2CUI79vXWy","object":"event","type":"charge.succeeded"}';
    const v1 = "cc8f4fc41646f922396c6e6000d40e3457d54779fa93c79501c3b0a266bc6edb";
    const header = (time: number) => `t=${time},v1=${"0".repeat(64)},v1=${v1},v0=${"6".repeat(64)}`;
    const at = (time: number, now: number) =>
      check("stripe", ["whsec_a-stripe-signing-secret"], { headers: { "stripe-signature": header(time) }, body }, now);
    expect(at(1_492_774_577, 1_492_774_577_000)).toEqual(admitted);
    expect(at(1_492_774_577, 1_492_774_878_000)).toEqual({ refused: "timestamp_out_of_tolerance" });
    // The time is signed: a replay under a newer one is refused.
    expect(at(1_492_774_877, 1_492_774_878_000)).toEqual({ refused: "signature_wrong" });
    const old = { "stripe-signature": `t=1492774577,v0=${v1}` };
    const only = check("stripe", ["whsec_a-stripe-signing-secret"], { headers: old, body }, 1_492_774_577_000);
    expect(only).toEqual({ refused: "signature_missing" });
  });

  it("Shopify: signs the body, in base64", () => {
    const headers = { "x-shopify-hmac-sha256": "E4gilUYshW29VUHRXEngSD2xBHiqqxp2P37x3c6/PNc=" };
    const body = '{"id":820982911946154508,"email":"jon@example.com"}';
    expect(check("shopify", ["hush-a-shopify-secret"], { headers, body })).toEqual(admitted);
    // A parser would round the number.
    const parsed = JSON.stringify(JSON.parse(body));
    expect(check("shopify", ["hush-a-shopify-secret"], { headers, body: parsed })).toEqual({
      refused: "signature_wrong",
    });
  });

  it("Meta: signs the body as received, with its escapes", () => {
    const signature = "4477617dbd068c8be5d1711fdcd0a1e882b6beadb60579a5d98ab1fb927afca0";
    const headers = { "x-hub-signature-256": `sha256=${signature}` };
    const body = String.raw`{"object":"page","entry":[{"message":"\u00e4\u00f6\u00e5"}]}`;
    expect(check("meta", ["an-app-secret-of-meta"], { headers, body })).toEqual(admitted);
    const parsed = JSON.stringify(JSON.parse(body));
    expect(check("meta", ["an-app-secret-of-meta"], { headers, body: parsed })).toEqual({ refused: "signature_wrong" });
  });
});

/** Bytes that a parser and a serialiser would change. */
const BODIES: Record<string, Buffer> = {
  "JSON as nobody would write it": Buffer.from('{ "b":1.0,\t"a" : "\u0041" , "a2":1e2 }\r\n'),
  "UTF-8": Buffer.from('{"name":"Zoë — 東京 🚲"}'),
  "bytes that are not UTF-8": Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x80]),
  nothing: Buffer.alloc(0),
};

it("has a sender for every preset", () => {
  expect(SENDER_NAMES.toSorted()).toEqual(Object.keys(HMAC_PRESETS).toSorted());
});

describe.each(SENDER_NAMES)("%s", sender => {
  const secret = secretOf(sender);
  const timed = (HMAC_PRESETS[sender] as { timestamp?: object }).timestamp !== undefined;
  const signed = (body: Buffer, at = SECONDS, by = secret) => ({ headers: SENDERS[sender](by, body, at), body });

  it.each(Object.entries(BODIES))("accepts %s", (_what, body) => {
    expect(check(sender, [secret], signed(body))).toEqual(admitted);
  });

  it("rejects a changed body, another secret, and no signature", () => {
    const body = BODIES["UTF-8"]!;
    const changed = Buffer.concat([body, Buffer.from(" ")]);
    expect(check(sender, [secret], { ...signed(body), body: changed })).toEqual({ refused: "signature_wrong" });
    const other = `${secret.slice(0, -1)}${secret.endsWith("w") ? "x" : "w"}`;
    expect(check(sender, [other], signed(body))).toEqual({ refused: "signature_wrong" });
    expect(check(sender, [secret], { headers: {}, body })).toEqual({ refused: "signature_missing" });
    expect(check(sender, [], signed(body))).toEqual({ refused: "signature_wrong" });
  });

  it("rejects a signature that is cut or extended", () => {
    const { headers, body } = signed(BODIES["UTF-8"]!);
    const respelled = (change: (value: string) => string) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          /signature|hmac/.test(name) ? change(value.replace(/,v0=.*/, "")) : value,
        ]),
      );
    // A base64 text ends with its padding.
    for (const change of [(value: string) => value.slice(0, -12), (value: string) => value.replace(/=?$/, "AAAA")]) {
      expect(check(sender, [secret], { headers: respelled(change), body })).toHaveProperty("refused");
    }
  });

  it("accepts a second secret", () => {
    expect(check(sender, ["whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", secret], signed(BODIES["UTF-8"]!))).toEqual(
      admitted,
    );
  });

  it(timed ? "refuses what is too old, too new, or without a time" : "has no timestamp", () => {
    const body = BODIES["UTF-8"]!;
    const at = (seconds: number) => check(sender, [secret], signed(body, SECONDS + seconds));
    expect([at(-300), at(300)]).toEqual([admitted, admitted]);
    if (!timed) return expect(at(-1_000_000)).toEqual(admitted);
    expect([at(-301), at(301)]).toEqual(Array(2).fill({ refused: "timestamp_out_of_tolerance" }));
    const { headers } = signed(body);
    const later = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(`${SECONDS}`, `${SECONDS + 1}`)]),
    );
    expect(check(sender, [secret], { headers: later, body })).toEqual({ refused: "signature_wrong" });
    const without = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(`${SECONDS}`, "soon")]),
    );
    expect(check(sender, [secret], { headers: without, body })).toEqual({ refused: "timestamp_missing" });
  });
});

it("identifies a delivery by what was signed, however its header is spelled", () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const headers = SENDERS.stripe("a secret of some length", body, SECONDS);
  const first = check("stripe", ["a secret of some length"], { headers, body });
  const upper = headers["stripe-signature"]!.replace(/v1=(\w+)/, (_, hex: string) => `v1=${hex.toUpperCase()}, v1=00`);
  expect(check("stripe", ["a secret of some length"], { headers: { "stripe-signature": upper }, body })).toEqual(first);
});

describe("a custom scheme", () => {
  it("has the stated header, algorithm, encoding, prefix and signed text", () => {
    const scheme = schemeOf({
      type: "hmac",
      header: "x-signature",
      algorithm: "sha512",
      encoding: "base64",
      prefix: "hmac ",
      signed: "timestamp.body",
      timestampHeader: "x-time",
      separator: "|",
      toleranceSeconds: 10,
    });
    expect(scheme).toMatchObject({ signed: "{timestamp}|{body}", timestamp: { header: "x-time" } });
    // printf '1772366400|Hello' | openssl dgst -sha512 -hmac 'a secret of some length' -binary | base64
    const signature = "hmac JIyOb8MCBCILhWnCYoR/p3x4UCOyJqPMOIRZ3sdsqNGg8uI8sHvvBllAxazbjK8rjTV0tOp7UUI9Ot0x2gxpsw==";
    const headers = { "x-signature": signature, "x-time": `${SECONDS}` };
    const delivery = { headers, body: Buffer.from("Hello") };
    expect(checkSignature(scheme, ["a secret of some length"], delivery, NOW + 10_000)).toEqual(admitted);
    expect(checkSignature(scheme, ["a secret of some length"], delivery, NOW + 11_000)).toEqual({
      refused: "timestamp_out_of_tolerance",
    });
  });

  it("signs only the body in hexadecimal by default", () => {
    expect(schemeOf({ type: "hmac", header: "x-signature" })).toMatchObject({
      ...{ header: "x-signature", algorithm: "sha256", encoding: "hex", prefix: "", signed: "{body}" },
    });
  });
});
