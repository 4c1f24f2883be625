import { createHmac, timingSafeEqual } from "node:crypto";
import { ID_PATTERN } from "../../contracts/primitives.ts";

const LIFETIME_S = 15 * 60;
/** The clocks of two nodes differ by less. */
const TOLERANCE_S = 5;
const MAX_REMEMBERED = 10_000;
const ISSUER = "weft";
const AUDIENCE = "weft-api";

export interface Claims {
  userId: string;
  sessionId: string;
  /** The end of the token, in ms since 1970. */
  until: number;
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
/** The one header that is accepted, so that a token cannot choose how it is verified. */
const HEADER = encode({ alg: "HS256", typ: "JWT" });
const signatureOf = (key: string, signed: string) => createHmac("sha256", key).update(signed).digest("base64url");

/** The same arguments give the same token. */
export function signAccessToken(key: string, userId: string, sessionId: string, issuedAt: Date) {
  const iat = Math.floor(issuedAt.getTime() / 1_000);
  const expiresAt = iat + LIFETIME_S;
  const claims = { sub: userId, sid: sessionId, iat, exp: expiresAt, aud: AUDIENCE, iss: ISSUER };
  const signed = `${HEADER}.${encode(claims)}`;
  const accessToken = `${signed}.${signatureOf(key, signed)}`;
  return { accessToken, expiresAt: new Date(expiresAt * 1_000).toISOString() };
}

function isSignedBy(key: string, token: string): boolean {
  const end = token.lastIndexOf(".");
  if (!token.startsWith(`${HEADER}.`) || end <= HEADER.length) return false;
  const expected = Buffer.from(signatureOf(key, token.slice(0, end)));
  const given = Buffer.from(token.slice(end + 1));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readToken(key: string, token: string): Claims | null {
  if (!isSignedBy(key, token)) return null;
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  const { sub: userId, sid: sessionId, exp, nbf = 0, iss, aud } = JSON.parse(payload) as Record<string, unknown>;
  if (iss !== ISSUER || aud !== AUDIENCE) return null;
  if (typeof userId !== "string" || !ID_PATTERN.test(userId)) return null;
  if (typeof sessionId !== "string" || !ID_PATTERN.test(sessionId)) return null;
  // Weft issues no tokens without an expiry.
  if (typeof exp !== "number" || typeof nbf !== "number") return null;
  const now = Date.now();
  const until = (exp + TOLERANCE_S) * 1_000;
  return until > now && (nbf - TOLERANCE_S) * 1_000 <= now ? { userId, sessionId, until } : null;
}

/**
 * Verifies access tokens and caches those with a valid signature, dropping the least recently used: all requests of a
 * client bring the same token. The caller must check each time whether the session still exists.
 */
export function tokenReader(key: string): (token: string) => Claims | null {
  const known = new Map<string, Claims>();
  return token => {
    const claims = known.get(token) ?? readToken(key, token);
    if (!claims) return null;
    known.delete(token);
    if (claims.until <= Date.now()) return null;
    known.set(token, claims);
    if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value!);
    return claims;
  };
}
