import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import type { Bytes } from "../adapters/files/port.ts";
import type { SignatureScheme } from "../contracts/entities/webhook-auth.ts";

/** More signatures than any sender sends while it rotates its keys. */
const MAX_SIGNATURES = 10;
const SECONDS = /^\d{1,11}$/;
const MILLISECONDS = /^\d{12,14}$/;

export interface SignedDelivery {
  headers: Readonly<Record<string, string>>;
  /** The original bytes. */
  body: Buffer | Bytes;
}

type Refusal = "signature_missing" | "signature_wrong" | "timestamp_missing" | "timestamp_out_of_tolerance";
export type Checked = { refused: Refusal } | { signature: string };

type Scheme = SignatureScheme & { toleranceSeconds: number };

/** The parts of a signature that are known without the body. */
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
 * Reads the signature of a delivery without its body, so that most wrong deliveries are refused before their body is
 * read.
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

/** The prefix that Standard Webhooks prescribes for secrets. */
export const STANDARD_PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MIN_KEY_BYTES = 16;

/** The key in a secret of Standard Webhooks; undefined if the secret is not valid. */
export function standardKey(secret: string): Buffer | undefined {
  const text = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret;
  const key = BASE64.test(text) ? Buffer.from(text, "base64") : undefined;
  return key && key.length >= MIN_KEY_BYTES ? key : undefined;
}

const keyOf = ({ key }: SignatureScheme, secret: string) =>
  key === "whsec" ? standardKey(secret) : Buffer.from(secret, "utf8");

/** The signature of a delivery with one key. The original body is hashed, whatever its encoding. */
class Signing {
  readonly #hmac: Hmac;
  /** The signed text after the body. */
  readonly #after: string;

  constructor({ algorithm, signed }: SignatureScheme, key: Buffer, { timestamp, id }: Claim) {
    const filled = (text: string) =>
      text.replaceAll(/\{timestamp\}|\{id\}/g, name => (name === "{id}" ? id : timestamp));
    const [before = "", after = ""] = signed.split("{body}");
    this.#hmac = createHmac(algorithm, key).update(filled(before));
    this.#after = filled(after);
  }

  add(bytes: Uint8Array): void {
    this.#hmac.update(bytes);
  }

  end(): Buffer {
    return this.#hmac.update(this.#after).digest();
  }
}

/** The signatures of a claim with each of the secrets. */
function signingsOf(scheme: Scheme, secrets: readonly string[], claim: Claim): Signing[] {
  const keys = secrets.map(secret => keyOf(scheme, secret));
  return keys.flatMap(key => (key && key.length > 0 ? [new Signing(scheme, key, claim)] : []));
}

/** Compares in constant time. */
function compare({ signatures }: Claim, signings: readonly Signing[]): Checked {
  for (const signing of signings) {
    const wanted = signing.end();
    const matches = signatures.filter(given => given.length === wanted.length && timingSafeEqual(given, wanted));
    if (matches.length > 0) return { signature: wanted.toString("base64url") };
  }
  return { refused: "signature_wrong" };
}

/**
 * Checks a signature against each of the secrets. Returns the signature as Weft computed it, which is the same for a
 * repeated delivery, however its header writes it.
 */
export function checkSignature(
  scheme: Scheme,
  secrets: readonly string[],
  { headers, body }: SignedDelivery & { body: Buffer },
  now: number,
): Checked {
  const claim = readClaim(scheme, headers, now);
  if ("refused" in claim) return claim;
  const signings = signingsOf(scheme, secrets, claim);
  for (const signing of signings) signing.add(body);
  return compare(claim, signings);
}

/**
 * The same for a body that is read in pieces.
 * @throws the error of the body
 */
export async function checkLongSignature(
  scheme: Scheme,
  secrets: readonly string[],
  { headers, body }: SignedDelivery & { body: Bytes },
  now: number,
): Promise<Checked> {
  const claim = readClaim(scheme, headers, now);
  if ("refused" in claim) return claim;
  const signings = signingsOf(scheme, secrets, claim);
  for await (const piece of body) for (const signing of signings) signing.add(piece);
  return compare(claim, signings);
}
