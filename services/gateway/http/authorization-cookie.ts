import type { IncomingHttpHeaders } from "node:http";
import { CALLBACK_PATH } from "../../../contracts/routes.ts";

const NAME = "weft_authorization";

/** The token of the authorization that this browser began; empty without one. */
export function authorizationToken({ cookie = "" }: IncomingHttpHeaders): string {
  for (const part of cookie.split(";")) {
    const [given, value] = part.trim().split("=", 2);
    if (given === NAME && value) return value;
  }
  return "";
}

/**
 * The value of Set-Cookie for an authorization. The authorization server leads the browser back from another site, so
 * the cookie is `Lax`; it goes to the callback alone.
 */
export function authorizationCookie(
  { origin }: IncomingHttpHeaders,
  { token, seconds }: { token: string; seconds: number },
): string {
  const secure = origin?.toLowerCase().startsWith("https://") ? "; Secure" : "";
  return `${NAME}=${token}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
