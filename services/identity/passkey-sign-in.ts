import { PasskeyFault, requestOptions, usedKey } from "../../adapters/webauthn/passkeys.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { recordEvent, recordEventLater } from "./account-events.ts";
import { kindOf, withSessionCookie } from "./browser-session.ts";
import { passkeys, users } from "./model.ts";
import { sealChallenge, siteHere, takeChallenge } from "./passkey-attempt.ts";
import { signIn } from "./begin-session.ts";
import { checkPasswordsAllowed, type SsoSelf } from "./sso-providers.ts";

const MAX_ID = 2_000;

export const begin = handle<"identity.browser.passkeys.begin", SsoSelf>(
  "identity.browser.passkeys.begin",
  async function () {
    checkPasswordsAllowed();
    const options = await requestOptions(siteHere());
    return { options: { ...options }, attempt: sealChallenge(this, options.challenge) };
  },
);

/**
 * Signs in with a passkey only. A passkey counts as two factors: the authenticator, and the finger, face or number that
 * unlocks it. An unknown passkey and a wrong signature get the same response.
 */
export const finish = handle<"identity.browser.passkeys.finish", SsoSelf>(
  "identity.browser.passkeys.finish",
  async function (ctx) {
    checkPasswordsAllowed();
    const site = siteHere();
    const { attempt, response } = ctx.params;
    const challenge = await takeChallenge(this, attempt);
    const all = this.store.global(passkeys);
    const credentialId = typeof response.id === "string" ? response.id.slice(0, MAX_ID) : "";
    const key = await all.get({ credentialId });
    if (!key) throw new AppError("passkey_refused");
    const { id, userId, name } = key;
    try {
      const counter = await usedKey(site, response, challenge, key);
      // Of two concurrent uses with the same counter, only one succeeds.
      const used = await all.updateOne({ id, counter: key.counter }, { $set: { counter, usedAt: new Date() } });
      if (!used) throw new PasskeyFault("The counter has not grown");
    } catch (error) {
      if (!(error instanceof PasskeyFault)) throw error;
      recordEventLater(this, userId, "passkey_refused", ctx, error.message);
      throw new AppError("passkey_refused");
    }
    const user = await this.store.global(users).get({ id: userId });
    if (!user) throw new AppError("passkey_refused");
    if (user.disabledAt) throw new AppError("account_disabled");
    const session = await signIn(this.store, user, { ...kindOf(ctx), factor: "passkey" });
    await recordEvent(this, userId, "signed_in", ctx, name);
    return withSessionCookie(ctx, user, session);
  },
);
