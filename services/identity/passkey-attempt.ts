import { type PasskeySite, siteOf } from "../../adapters/webauthn/passkeys.ts";
import { AppError } from "../../contracts/errors.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import { markSpent } from "./spent-tokens.ts";
import type { SsoSelf } from "./sso-providers.ts";

const LIFETIME_MS = 600_000;

interface Attempt {
  challenge: string;
  until: number;
}

/** @throws {AppError} no_passkeys_here when browsers do not allow passkeys on this address */
export function siteHere(): PasskeySite {
  const site = siteOf(publicUrl());
  if (!site) throw new AppError("no_passkeys_here");
  return site;
}

/** Seals a challenge. The page keeps it, so anonymous clients store nothing here. `userId` is empty for a sign-in. */
export const sealChallenge = ({ attemptSealer }: SsoSelf, challenge: string, userId = ""): string =>
  attemptSealer.seal(JSON.stringify({ challenge, until: Date.now() + LIFETIME_MS }), `passkey ${userId}`);

/**
 * The challenge of an attempt. It works once.
 * @throws {AppError} passkey_refused
 */
export async function takeChallenge(self: SsoSelf, sealed: string, userId = ""): Promise<string> {
  let attempt: Attempt;
  try {
    attempt = JSON.parse(self.attemptSealer.open(sealed, `passkey ${userId}`)) as Attempt;
  } catch {
    throw new AppError("passkey_refused", {
      detail: "The attempt was begun by another person or at another installation. Begin again.",
    });
  }
  const { challenge, until } = attempt;
  if (until <= Date.now() || !(await markSpent(self, `passkey ${challenge}`, until)))
    throw new AppError("passkey_refused", { detail: "An attempt works once, within ten minutes. Begin again." });
  return challenge;
}
