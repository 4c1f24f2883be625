import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Codes of the previous and the next period are accepted too, because clocks differ and people type slowly. */
const WINDOW = 1;

const totpOf = (secret: string, label = "") =>
  new TOTP({
    issuer: "Weft",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });

/** A new secret in base32. RFC 4226 requires at least 128 bits. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI that authenticator apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The period that a code belongs to, counted since 1970; null if the code is wrong. */
export function periodOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD_S) + delta;
}
