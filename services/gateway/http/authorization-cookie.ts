import type { IncomingHttpHeaders } from "node:http";
import { CALLBACK_PATH } from "../../../contracts/routes.ts";
import { cookieNamed, isSecure } from "./session-cookie.ts";

const NAME = "weft_authorization";

/** The token of the authorization that this browser began; empty if there is none. */
export const authorizationToken = (headers: IncomingHttpHeaders): string => cookieNamed(headers, NAME) ?? "";

/**
 * The value of Set-Cookie for an authorization. The cookie is `Lax`, because the authorization server redirects the
 * browser from another site. Its path limits it to the callback.
 */
export function authorizationCookie(
  headers: IncomingHttpHeaders,
  { token, seconds }: { token: string; seconds: number },
): string {
  const secure = isSecure(headers) ? "; Secure" : "";
  return `${NAME}=${token}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
