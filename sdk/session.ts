import type { SignedIn } from "./definition.ts";
import type { TokenSource } from "./transport.ts";
import type { Weft } from "./weft.ts";

/** A margin for differing clocks and for the duration of a request. */
const MARGIN_MS = 30_000;

/**
 * Whether the access token of a sign-in is likely to be valid. `refused` is a token that the service did not accept.
 */
export const isUsable = ({ accessToken, expiresAt }: SignedIn, refused?: string): boolean =>
  accessToken !== refused && Date.parse(expiresAt) - Date.now() > MARGIN_MS;

/**
 * The token of a sign-in, renewed before it expires. A renewal replaces the refresh token, and using a token that was
 * replaced more than 30 seconds ago ends the session. Use `onRenewed` to store the new sign-in for a later start of the
 * program.
 */
export function sessionToken(
  weft: Pick<Weft, "identity">,
  session: SignedIn,
  onRenewed?: (session: SignedIn) => void | Promise<void>,
): TokenSource {
  let current = session;
  let renewal: Promise<void> | undefined;
  const renew = async () => {
    current = await weft.identity.refresh({ refreshToken: current.refreshToken });
    await onRenewed?.(current);
  };
  return async refused => {
    if (!isUsable(current, refused)) await (renewal ??= renew().finally(() => (renewal = undefined)));
    return current.accessToken;
  };
}
