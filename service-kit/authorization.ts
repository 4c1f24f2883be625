const BASIC = /^basic +([A-Za-z0-9+/=_-]+)$/i;
/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
/** Weft issues no longer tokens. A limit inside of the pattern would make it count each character. */
const MAX_TOKEN = 4_096;

/** User name and password as one text, as RFC 7617 sends them. */
export const basicText = (username: string, password: string): string => `${username}:${password}`;

/** The decoded text of an `Authorization: Basic` header, or "" without such a header. */
export function basicOf(authorization: string | undefined): string {
  const [, encoded] = BASIC.exec(authorization ?? "") ?? [];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
}

export function bearerToken(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN ? token : undefined;
}
