import jwt from "jsonwebtoken";
import { ID_PATTERN } from "../../contracts/primitives.ts";

const LIFETIME_S = 15 * 60;
/** The maximum difference between the clocks of two nodes. */
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

/** The same arguments give the same token. */
export function signAccessToken(key: string, userId: string, sessionId: string, issuedAt: Date) {
  const iat = Math.floor(issuedAt.getTime() / 1_000);
  const expiresAt = iat + LIFETIME_S;
  const accessToken = jwt.sign({ sub: userId, sid: sessionId, iat, exp: expiresAt }, key, {
    algorithm: "HS256",
    issuer: ISSUER,
    audience: AUDIENCE,
  });
  return { accessToken, expiresAt: new Date(expiresAt * 1_000).toISOString() };
}

function readToken(key: string, token: string): Claims | null {
  try {
    const options = { algorithms: ["HS256" as const], issuer: ISSUER, audience: AUDIENCE, clockTolerance: TOLERANCE_S };
    const claims = jwt.verify(token, key, options) as { sub?: unknown; sid?: unknown; exp?: unknown };
    const { sub: userId, sid: sessionId, exp } = claims;
    if (typeof userId !== "string" || !ID_PATTERN.test(userId)) return null;
    if (typeof sessionId !== "string" || !ID_PATTERN.test(sessionId)) return null;
    // Weft issues no tokens without an expiry.
    return typeof exp === "number" ? { userId, sessionId, until: (exp + TOLERANCE_S) * 1_000 } : null;
  } catch {
    return null;
  }
}

/**
 * Verifies access tokens. It caches tokens with a valid signature, because all requests of a client carry the same
 * token, and evicts the least recently used. The caller must check each time whether the session still exists.
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
