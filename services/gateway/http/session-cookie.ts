import type { IncomingHttpHeaders } from "node:http";

const PATH = "/v1/auth/browser";
const NAME = "weft_session";
/** Browsers accept this prefix over TLS only, so an attacker on the network cannot set such a cookie. */
const SECURE_NAME = `__Secure-${NAME}`;

/** Whether the page came over TLS, by its Origin. Routes that use the session's cookie require an Origin. */
export const isSecure = ({ origin }: IncomingHttpHeaders) => origin?.toLowerCase().startsWith("https://") ?? false;

/** The value of a cookie in the Cookie header; undefined when it is absent or empty. */
export function cookieNamed({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of cookie.split(";")) {
    const [given, value] = part.trim().split("=", 2);
    if (given === name && value) return value;
  }
  return undefined;
}

/** The session's token in the Cookie header of a page; undefined if there is none. */
export const sessionToken = (headers: IncomingHttpHeaders): string | undefined =>
  cookieNamed(headers, isSecure(headers) ? SECURE_NAME : NAME);

/** The value of Set-Cookie: the session's token until it expires, or the removal of the cookie. */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  session: { token: string; expiresAt: Date | string } | null,
  now = Date.now(),
): string {
  const seconds = session ? Math.max(0, Math.floor((new Date(session.expiresAt).getTime() - now) / 1_000)) : 0;
  const secure = isSecure(headers);
  const pair = `${secure ? SECURE_NAME : NAME}=${session?.token ?? ""}`;
  return `${pair}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}
