import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignatureScheme } from "../../contracts/entities/webhook-auth.ts";
import { standardKey } from "./secret.ts";

/** More than any sender gives while it rotates its keys. */
const MAX_SIGNATURES = 10;
const SECONDS = /^\d{1,11}$/;
const MILLISECONDS = /^\d{12,14}$/;

export interface SignedDelivery {
  headers: Readonly<Record<string, string>>;
  /** The bytes as they came. */
  body: Buffer;
}

type Refusal = "signature_missing" | "signature_wrong" | "timestamp_missing" | "timestamp_out_of_tolerance";
export type Checked = { refused: Refusal } | { signature: string };

type Scheme = SignatureScheme & { toleranceSeconds: number };

/** What is known of a signature without the body. */
interface Claim {
  signatures: Buffer[];
  timestamp: string;
  id: string;
}

function itemsOf({ separator }: SignatureScheme, text: string): string[] {
  return separator === undefined ? [text] : text.split(separator).map(item => item.trim());
}

function timestampOf({ timestamp }: SignatureScheme, headers: SignedDelivery["headers"], items: string[]) {
  if (!timestamp) return "";
  if ("header" in timestamp) return headers[timestamp.header];
  return items.find(item => item.startsWith(timestamp.prefix))?.slice(timestamp.prefix.length);
}

function isInTolerance(timestamp: string, toleranceSeconds: number, now: number): boolean {
  const at = SECONDS.test(timestamp) ? Number(timestamp) * 1_000 : Number(timestamp);
  return Math.abs(now - at) <= toleranceSeconds * 1_000;
}

/**
 * Reads the signature of a delivery as far as its body is not needed, so that most wrong deliveries are refused before
 * their body is read.
 */
export function readClaim(
  scheme: Scheme,
  headers: SignedDelivery["headers"],
  now: number,
): { refused: Refusal } | Claim {
  const items = itemsOf(scheme, headers[scheme.header] ?? "");
  const { prefix, encoding } = scheme;
  const signatures = items
    .filter(item => item.startsWith(prefix) && item.length > prefix.length)
    .slice(0, MAX_SIGNATURES)
    .map(item => Buffer.from(item.slice(prefix.length), encoding));
  if (signatures.length === 0) return { refused: "signature_missing" };
  const timestamp = timestampOf(scheme, headers, items);
  const id = scheme.id === undefined ? "" : headers[scheme.id];
  if (timestamp === undefined || id === undefined) return { refused: "timestamp_missing" };
  if (scheme.timestamp) {
    if (!SECONDS.test(timestamp) && !MILLISECONDS.test(timestamp)) return { refused: "timestamp_missing" };
    if (!isInTolerance(timestamp, scheme.toleranceSeconds, now)) return { refused: "timestamp_out_of_tolerance" };
  }
  return { signatures, timestamp, id };
}

const keyOf = ({ key }: SignatureScheme, secret: string) =>
  key === "whsec" ? standardKey(secret) : Buffer.from(secret, "utf8");

/** The signature of a delivery under a key. The body is hashed as it came, whatever its encoding. */
function sign(scheme: SignatureScheme, key: Buffer, { timestamp, id }: Claim, body: Buffer): Buffer {
  const hmac = createHmac(scheme.algorithm, key);
  for (const part of scheme.signed.split(/(\{body\}|\{timestamp\}|\{id\})/)) {
    if (part === "{body}") hmac.update(body);
    else hmac.update(part === "{timestamp}" ? timestamp : part === "{id}" ? id : part);
  }
  return hmac.digest();
}

/**
 * Checks a signature against each of the secrets, in constant time. Returns the signature as Weft computed it: a
 * repeated delivery has the same one, however its header spells it.
 */
export function checkSignature(
  scheme: Scheme,
  secrets: readonly string[],
  { headers, body }: SignedDelivery,
  now: number,
): Checked {
  const claim = readClaim(scheme, headers, now);
  if ("refused" in claim) return claim;
  for (const secret of secrets) {
    const key = keyOf(scheme, secret);
    if (!key || key.length === 0) continue;
    const wanted = sign(scheme, key, claim, body);
    const matches = claim.signatures.filter(given => given.length === wanted.length && timingSafeEqual(given, wanted));
    if (matches.length > 0) return { signature: wanted.toString("base64url") };
  }
  return { refused: "signature_wrong" };
}
