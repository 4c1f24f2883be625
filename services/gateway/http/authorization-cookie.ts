import type { IncomingHttpHeaders } from "node:http";
import { CALLBACK_PATH } from "../../../contracts/routes.ts";
import { cookieNamed, isSecure } from "./session-cookie.ts";

const NAME = "weft_authorization";

/** The token of the authorization that this browser began; empty without one. */
export const authorizationToken = (headers: IncomingHttpHeaders): string => cookieNamed(headers, NAME) ?? "";

/**
 * The value of Set-Cookie for an authorization. The authorization server leads the browser back from another site, so
 * the cookie is `Lax`; it goes to the callback alone.
 */
export function authorizationCookie(
  headers: IncomingHttpHeaders,
  { token, seconds }: { token: string; seconds: number },
): string {
  const secure = isSecure(headers) ? "; Secure" : "";
  return `${NAME}=${token}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
