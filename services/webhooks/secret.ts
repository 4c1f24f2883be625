import { randomBytes } from "node:crypto";
import { isSameDigest, keyedHash } from "../../service-kit/keyed-hash.ts";
import { STANDARD_PREFIX } from "../../service-kit/signature.ts";

/** Distinguishes a webhook's secret from other secrets, and lets secret scanners recognise leaked ones. */
const PREFIX = "wfh_";
const SECRET_BYTES = 32;

/** A secret of 256 random bits. It needs no escaping in a URL, except for Standard Webhooks, which use base64. */
export const makeSecret = (kind?: "whsec"): string =>
  kind === "whsec"
    ? STANDARD_PREFIX + randomBytes(SECRET_BYTES).toString("base64")
    : PREFIX + randomBytes(SECRET_BYTES).toString("base64url");

const hash = (key: string, secret: string) => keyedHash(key, "webhook secret", secret);

/** The stored hash of a secret. It cannot be reversed, and without the key it cannot be checked. */
export const secretHash = (key: string, secret: string): string => hash(key, secret).toString("base64url");

/** A replacement for a hash. No secret matches it. */
export const noSecretHash = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** Compares in constant time, even if the webhook does not exist. */
export const isSecret = (key: string, secret: string, stored: string | undefined): boolean =>
  isSameDigest(hash(key, secret), stored === undefined ? undefined : Buffer.from(stored, "base64url"));
