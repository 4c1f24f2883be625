import { clip } from "../../../../core/clip.ts";
import { MASK, maskerOf, type Mask } from "../../../../core/credentials/mask.ts";
import { textOf } from "../../../../core/http-body.ts";

const MAX_BODY_CHARS = 4_096;
const MAX_HEADER_CHARS = 500;
/** More than the details show, so that a secret at the end is masked before the text is cut. */
const MASKED_CHARS = 65_536;
/** Shorter values of headers are ordinary words, such as `close`. */
const MIN_SECRET = 8;
const SHOWN = ["content-type", "content-length", "date", "retry-after", "www-authenticate", "allow", "x-request-id"];
/**
 * Headers with these names hold no secrets. The values of all other headers are masked. In the query, only the values
 * of parameters with secret-sounding names are masked.
 */
const PLAIN_HEADER =
  /^(?:accept(?:-.*)?|content-(?:type|language)|user-agent|idempotency-key|range|if-.*|cache-control)$/;
const SECRET_PARAMETER = /key|token|secret|pass|auth|sig|session|credential/i;

/**
 * Hides the secrets of a request: the values of its headers, also without their scheme or decoded (Basic), and the
 * values in its query.
 */
function maskOf(headers: Readonly<Record<string, string>>, url: URL): Mask {
  const values = Object.entries(headers).flatMap(([name, value]) => (PLAIN_HEADER.test(name) ? [] : [value]));
  const parts = values.flatMap(value => {
    const [, scheme = "", rest = ""] = /^(\w+)\s+(.+)$/.exec(value) ?? [];
    if (scheme.toLowerCase() !== "basic")
      return [value, rest, ...value.split(/[;,]\s*/).map(part => part.replace(/^[^=]*=/, ""))];
    const opened = Buffer.from(rest, "base64").toString();
    return [value, rest, opened, opened.slice(opened.indexOf(":") + 1)];
  });
  const query = [...url.searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? [value] : []));
  return maskerOf([...parts, ...query].filter(value => value.length >= MIN_SECRET));
}

const decodeMask = (url: string) => url.replaceAll(encodeURIComponent(MASK), MASK);

interface Sent {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

interface Answered {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The address without its query, which may hold secrets. */
export function placeOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** The request as text, without its secrets. Signatures are added later, so they are missing. */
export function sentText({ method, url, headers, body }: Sent & { body: string | undefined }): string {
  const mask = maskOf(headers, new URL(url));
  const named = Object.entries(headers).map(([name, value]) => {
    return `${name}: ${PLAIN_HEADER.test(name) ? clip(value, MAX_HEADER_CHARS) : MASK}`;
  });
  const shown = new URL(url);
  for (const name of new Set(shown.searchParams.keys()))
    if (SECRET_PARAMETER.test(name)) shown.searchParams.set(name, MASK);
  const text = body === undefined ? "" : `\n\n${clip(mask(body.slice(0, MASKED_CHARS)), MAX_BODY_CHARS)}`;
  return `Sends ${method} ${decodeMask(shown.href)}\n${named.join("\n")}${text}`;
}

/** The details of a failed call: small, and without the secrets that were sent. */
export function detailsOf({ method, url, headers }: Sent, answer?: Answered): Record<string, unknown> {
  const mask = maskOf(headers, new URL(url));
  const place = { method, url: mask(placeOf(url)) };
  if (!answer) return place;
  const type = answer.headers["content-type"] ?? "";
  const shown = SHOWN.flatMap(name => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, clip(mask(value), MAX_HEADER_CHARS)] as const];
  });
  const text = textOf(answer.body, type);
  const body = text === undefined ? null : clip(mask(text.slice(0, MASKED_CHARS)), MAX_BODY_CHARS);
  return { ...place, status: answer.status, headers: Object.fromEntries(shown), body, bytes: answer.body.length };
}
