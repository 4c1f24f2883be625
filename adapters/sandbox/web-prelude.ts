/**
 * Runs inside the sandbox, like `prelude`, and adds what web programs expect: `crypto`, `TextEncoder`, `TextDecoder`,
 * `atob`, `btoa` and `structuredClone`. `ask` takes the JSON of a WebCall and returns the JSON of its WebAnswer.
 */
export function webPrelude(ask: (call: string) => string): void {
  const { parse, stringify } = JSON;
  const [text, AnyTypeError, AnyRangeError, Bytes, AnyBuffer] = [
    String,
    TypeError,
    RangeError,
    Uint8Array,
    ArrayBuffer,
  ];

  const request = (name: string, ...args: unknown[]): unknown => {
    const answer = parse(ask(stringify({ __proto__: null, name, args }))) as {
      value?: unknown;
      error?: { name: string; message: string };
    };
    if (!answer.error) return answer.value;
    throw new (answer.error.name === "RangeError" ? AnyRangeError : AnyTypeError)(answer.error.message);
  };
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  const viewOf = (data: unknown): Uint8Array => {
    if (data instanceof AnyBuffer) return new Bytes(data);
    if (AnyBuffer.isView(data)) return new Bytes(data.buffer, data.byteOffset, data.byteLength);
    throw new AnyTypeError("Expected text or bytes.");
  };
  const latin1 = (bytes: Uint8Array): string => {
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 8_192) parts.push(text.fromCharCode(...bytes.subarray(at, at + 8_192)));
    return parts.join("");
  };
  const bytesOf = (binary: string): Uint8Array => {
    const bytes = new Bytes(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  };
  const sent = (data: unknown) => (typeof data === "string" ? { text: data } : { bytes: latin1(viewOf(data)) });
  const received = (value: unknown, encoding: string) => (encoding === "bytes" ? bytesOf(value as string) : value);

  define("crypto", {
    digest: (algorithm: string, data: unknown, encoding = "hex") =>
      received(request("digest", algorithm, sent(data), encoding), encoding),
    hmac: (algorithm: string, key: unknown, data: unknown, encoding = "hex") =>
      received(request("hmac", algorithm, sent(key), sent(data), encoding), encoding),
    randomUUID: () => request("randomUUID"),
  });

  class SandboxEncoder {
    readonly encoding = "utf-8";
    encode(given: unknown = ""): Uint8Array {
      // In the encoded text, bytes are %XX, and everything else is unchanged.
      const encoded = encodeURIComponent(text(given).toWellFormed());
      const bytes: number[] = [];
      for (let i = 0; i < encoded.length; i++) {
        const code = encoded.charCodeAt(i);
        bytes.push(code === 37 ? parseInt(encoded.slice(i + 1, (i += 2) + 1), 16) : code);
      }
      return new Bytes(bytes);
    }
  }
  define("TextEncoder", SandboxEncoder);

  class SandboxDecoder {
    readonly encoding = "utf-8";
    readonly fatal: boolean;
    constructor(label = "utf-8", options: { fatal?: boolean } = {}) {
      if (!/^\s*utf-?8\s*$/i.test(label)) throw new AnyRangeError("TextDecoder supports only UTF-8.");
      this.fatal = options.fatal === true;
    }
    decode(data?: unknown): string {
      const bytes = data === undefined ? new Bytes(0) : viewOf(data);
      const parts: string[] = [];
      let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
      while (at < bytes.length) {
        const first = bytes[at++]!;
        if (first < 0x80) {
          parts.push(text.fromCharCode(first));
          continue;
        }
        const more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : 1;
        // The second byte excludes overlong forms, surrogates and values beyond Unicode.
        const [low, high] =
          first === 0xe0
            ? [0xa0, 0xbf]
            : first === 0xed
              ? [0x80, 0x9f]
              : first === 0xf0
                ? [0x90, 0xbf]
                : first === 0xf4
                  ? [0x80, 0x8f]
                  : [0x80, 0xbf];
        let [point, taken] = [first & (0x3f >> more), 0];
        const isLead = first >= 0xc2 && first < 0xf5;
        while (isLead && taken < more && at < bytes.length) {
          const next = bytes[at]!;
          if (taken === 0 ? next < low || next > high : next < 0x80 || next > 0xbf) break;
          point = (point << 6) | (next & 0x3f);
          at++;
          taken++;
        }
        if (isLead && taken === more) parts.push(text.fromCodePoint(point));
        else if (this.fatal) throw new AnyTypeError("The bytes are not valid UTF-8.");
        else parts.push("\uFFFD");
      }
      return parts.join("");
    }
  }
  define("TextDecoder", SandboxDecoder);

  const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  define("btoa", (given: unknown): string => {
    const binary = text(given);
    const parts: string[] = [];
    for (let i = 0; i < binary.length; i += 3) {
      const [a, b, c] = [binary.charCodeAt(i), binary.charCodeAt(i + 1), binary.charCodeAt(i + 2)];
      if (a > 255 || b > 255 || c > 255) throw new AnyTypeError("btoa accepts only characters up to U+00FF.");
      const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
      const signs = [18, 12, 6, 0].map(shift => SIGNS[(bits >> shift) & 63]!);
      parts.push(
        signs
          .slice(0, b !== b ? 2 : c !== c ? 3 : 4)
          .join("")
          .padEnd(4, "="),
      );
    }
    return parts.join("");
  });
  define("atob", (given: unknown): string => {
    const plain = text(given).replace(/[\t\n\f\r ]/g, "");
    const signs = plain.length % 4 === 0 ? plain.replace(/={1,2}$/, "") : plain;
    if (signs.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(signs)) throw new AnyTypeError("The text is not Base64.");
    const parts: string[] = [];
    let [bits, count] = [0, 0];
    for (let i = 0; i < signs.length; i++) {
      bits = ((bits << 6) | SIGNS.indexOf(signs[i]!)) & 0xffffff;
      count += 6;
      if (count >= 8) parts.push(text.fromCharCode((bits >> (count -= 8)) & 255));
    }
    return parts.join("");
  });

  define("structuredClone", (given: unknown): unknown => {
    const known = new Map<object, unknown>();
    const clone = (value: unknown): unknown => {
      if (typeof value === "function" || typeof value === "symbol")
        throw new AnyTypeError(`A ${typeof value} cannot be cloned.`);
      if (typeof value !== "object" || value === null) return value;
      if (known.has(value)) return known.get(value);
      const keep = <T>(made: T): T => {
        known.set(value, made);
        return made;
      };
      if (value instanceof Date) return keep(new Date(value.getTime()));
      if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
      if (value instanceof AnyBuffer) return keep(value.slice(0));
      if (AnyBuffer.isView(value)) return keep((value as Uint8Array).slice());
      if (value instanceof Error) return keep(Object.assign(new Error(value.message), { name: value.name }));
      if (value instanceof Map) {
        const made = keep(new Map<unknown, unknown>());
        for (const [key, each] of value) made.set(clone(key), clone(each));
        return made;
      }
      if (value instanceof Set) {
        const made = keep(new Set<unknown>());
        for (const each of value) made.add(clone(each));
        return made;
      }
      const made = keep<Record<string, unknown>>(Array.isArray(value) ? ([] as never) : {});
      for (const key of Object.keys(value)) made[key] = clone((value as Record<string, unknown>)[key]);
      return made;
    };
    return clone(given);
  });
}
