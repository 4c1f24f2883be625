const BASIC = /^basic +([A-Za-z0-9+/=_-]+)$/i;
/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
/** Weft issues no longer tokens. The limit is not part of the pattern, which would then count each character. */
const MAX_TOKEN = 4_096;

/** A user name and password as one text, in the form of RFC 7617. */
export const basicText = (username: string, password: string): string => `${username}:${password}`;

/** The decoded text of an `Authorization: Basic` header; "" if there is none. */
export function basicOf(authorization: string | undefined): string {
  const [, encoded] = BASIC.exec(authorization ?? "") ?? [];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
}

export function bearerToken(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN ? token : undefined;
}
