import { randomBytes } from "node:crypto";
import { normaliseRecoveryCode } from "../../core/second-factor.ts";
import { keyedHash } from "../../service-kit/keyed-hash.ts";

const COUNT = 10;
const CHARS = 10;
/** Crockford's base 32, which omits letters that look like digits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function makeCode(): string {
  const chars = Array.from(randomBytes(CHARS), byte => ALPHABET[byte % ALPHABET.length]!).join("");
  return `${chars.slice(0, CHARS / 2)}-${chars.slice(CHARS / 2)}`;
}

/** The stored hash of a code. Without the key, codes cannot be guessed from it. */
export const recoveryHash = (key: string, code: string): string =>
  keyedHash(key, "recovery code", normaliseRecoveryCode(code)).toString("base64url");

/** New codes of 50 random bits each, and their hashes. */
export function makeRecoveryCodes(key: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: COUNT }, makeCode);
  return { codes, hashes: codes.map(code => recoveryHash(key, code)) };
}
