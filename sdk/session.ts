import type { SignedIn } from "./definition.ts";
import type { TokenSource } from "./transport.ts";
import type { Weft } from "./weft.ts";

/** Clocks differ, and a request takes its time. */
const MARGIN_MS = 30_000;

/** Whether the access token of a sign-in can be used, as far as one can know; `refused` is one that the service did not take. */
export const isUsable = ({ accessToken, expiresAt }: SignedIn, refused?: string): boolean =>
  accessToken !== refused && Date.parse(expiresAt) - Date.now() > MARGIN_MS;

/**
 * The token of a sign-in, renewed before it ends. A renewal replaces the refresh token, and one that was replaced more than 30
 * seconds ago ends the session: keep in `onRenewed` what a later start of the program is to go on with.
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
