import { randomBytes } from "node:crypto";
import { keyedHash } from "../../service-kit/keyed-hash.ts";

/** Distinguishes API keys from access tokens, and lets secret scanners recognise leaked keys. */
const PREFIX = "wfk_";
const SECRET_BYTES = 32;
/**
 * 32 bytes need at most this many base-62 digits. Shorter numbers are padded, so that all keys have the same length.
 */
const DIGITS = 43;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${DIGITS}}$`);

function base62(bytes: Buffer): string {
  let digits = "";
  for (let rest = BigInt(`0x${bytes.toString("hex")}`); rest > 0n; rest /= 62n) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(DIGITS, "0");
}

export const makeApiKey = (): string => PREFIX + base62(randomBytes(SECRET_BYTES));

export const isApiKey = (token: string): boolean => PATTERN.test(token);

/**
 * The stored hash of a key, which is also its lookup key. Without the service's own key, an attacker cannot construct
 * hashes with a common prefix, so the time of an index comparison reveals nothing.
 */
export const apiKeyHash = (key: string, token: string): string =>
  keyedHash(key, "api key", token).toString("base64url");
