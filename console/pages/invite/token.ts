const IN_HASH = /(?:^|#)invite=([\w-]{1,200})/;
const KEY = "weft.invite";
const PAGE = "/invite";

/**
 * The token of an invitation in the hash of an address. It is after the `#`, because browsers do not send that part to
 * servers.
 */
const inviteTokenIn = (hash: string): string | undefined => IN_HASH.exec(hash)?.[1];

/** The token of the invitation that `next` leads to, if this tab has opened one. */
export const inviteFor = (next: string | undefined): string | undefined =>
  next === PAGE ? (sessionStorage.getItem(KEY) ?? undefined) : undefined;

/**
 * Keeps the token of the address for the time of a sign-in, in this tab. The address of the sign-in names only the page
 * to continue with, because browsers send that address to servers. Returns the token of the address, or else the kept one.
 */
export function keepInvite(hash: string): string | undefined {
  const token = inviteTokenIn(hash);
  if (token !== undefined) sessionStorage.setItem(KEY, token);
  return token ?? inviteFor(PAGE);
}
