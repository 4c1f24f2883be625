import { randomBytes } from "node:crypto";
import { keyedHash } from "../../mixins/keyed-hash.ts";

/** Tells an API key from an access token, and from other secrets to whoever searches for leaked ones. */
const PREFIX = "wfk_";
const SECRET_BYTES = 32;
/** 32 bytes take at most so many digits of base 62; fewer are filled up, so that all keys are of one length. */
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
 * What is stored of a key, and what it is found by: without our own key nobody can make hashes that begin alike, so the
 * time that an index takes to compare them tells nothing.
 */
export const apiKeyHash = (key: string, token: string): string =>
  keyedHash(key, "api key", token).toString("base64url");
