import { type BinaryToTextEncoding, createHash, createHmac, randomUUID } from "node:crypto";

/** A call of a function of the web platform that QuickJS lacks. Bytes travel as text with one character per byte. */
export interface WebCall {
  name: string;
  args: readonly unknown[];
}

export type WebAnswer = { value: unknown } | { error: { name: "TypeError" | "RangeError"; message: string } };

/** The most characters of one call. All work of the host is linear in it. */
export const MAX_WEB_LENGTH = 8 * 1024 * 1024;

const ALGORITHMS = ["md5", "sha1", "sha256", "sha384", "sha512"];
const ENCODINGS = ["hex", "base64", "base64url", "bytes"];
const SETTABLE = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

function oneOf(name: unknown, list: readonly string[], what: string): string {
  const wanted = typeof name === "string" ? name.toLowerCase().replace(/^sha-/, "sha") : "";
  if (list.includes(wanted)) return wanted;
  throw new TypeError(`The ${what} is not one of ${list.join(", ")}.`);
}

interface Bytes {
  text?: string;
  bytes?: string;
}
const bufferOf = ({ text, bytes }: Bytes) =>
  text === undefined ? Buffer.from(bytes ?? "", "latin1") : Buffer.from(text, "utf8");

const encodingOf = (encoding: unknown): BinaryToTextEncoding => {
  const named = oneOf(encoding, ENCODINGS, "encoding");
  return named === "bytes" ? "binary" : (named as BinaryToTextEncoding);
};

function partsOf(url: URL): Record<string, string> {
  const parts: Record<string, string> = { origin: url.origin };
  for (const name of SETTABLE) parts[name] = url[name as "href"];
  return parts;
}

function urlOf(text: string, base?: string): URL {
  const url = URL.parse(text, base);
  if (!url) throw new TypeError(`Invalid URL: ${text.slice(0, 100)}`);
  return url;
}

const CALLS: Record<string, (...args: never[]) => unknown> = {
  digest: (algorithm: unknown, data: Bytes, encoding: unknown) =>
    createHash(oneOf(algorithm, ALGORITHMS, "algorithm"))
      .update(bufferOf(data))
      .digest(encodingOf(encoding)),
  hmac: (algorithm: unknown, key: Bytes, data: Bytes, encoding: unknown) =>
    createHmac(oneOf(algorithm, ALGORITHMS, "algorithm"), bufferOf(key))
      .update(bufferOf(data))
      .digest(encodingOf(encoding)),
  randomUUID: () => randomUUID(),
  url: (text: string, base: string | null) => partsOf(urlOf(text, base ?? undefined)),
  setUrl: (href: string, name: string, value: unknown) => {
    const url = urlOf(href);
    if (SETTABLE.includes(name)) url[name as "href"] = String(value);
    return partsOf(url);
  },
  readQuery: (text: string) => [...new URLSearchParams(text)],
  writeQuery: (pairs: [string, string][]) => String(new URLSearchParams(pairs)),
};

/** Answers a call from inside a sandbox. It takes and returns only JSON, and provides only the functions above. */
export function answerWeb({ name, args }: WebCall): WebAnswer {
  try {
    if (!Object.hasOwn(CALLS, name)) throw new TypeError(`${name} is not in the sandbox.`);
    return { value: CALLS[name]!(...(args as never[])) };
  } catch (error) {
    const kind = error instanceof RangeError ? "RangeError" : "TypeError";
    return { error: { name: kind, message: (error as Error).message } };
  }
}
