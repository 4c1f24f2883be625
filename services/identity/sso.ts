import { call, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { originOf, recordEvent } from "./account-events.ts";
import { kindOf, withSessionCookie } from "./browser-session.ts";
import { providerLinks, sessions } from "./model.ts";
import { endStreams } from "./refresh-session.ts";
import { MAX_SESSIONS, signIn } from "./begin-session.ts";
import { accountOf } from "./sso-account.ts";
import { beginAttempt, proveAttempt, refusal } from "./sso-attempt.ts";
import { isSpent, markSpent } from "./spent-tokens.ts";
import { providerOf, type SsoSelf } from "./sso-providers.ts";
import { SignInFault } from "../../adapters/oauth/sign-in-fault.ts";

/** A provider is called up to three times, with ten seconds each. */
const OUTSIDE = { timeout: 35_000, outside: true };
/** Longer than the time for which a logout token is accepted. */
const LOGOUT_MS = 1_200_000;

export const begin = handle<"identity.browser.sso.begin", SsoSelf>(
  "identity.browser.sso.begin",
  function (ctx) {
    const { provider, invite } = ctx.params;
    return beginAttempt(this, provider, ctx, { ...(invite !== undefined && { invite }) });
  },
  OUTSIDE,
);

/** The roles from groups are applied before the session begins, so no session has outdated roles. */
export const finish = handle<"identity.browser.sso.finish", SsoSelf>(
  "identity.browser.sso.finish",
  async function (ctx) {
    const { provider, person, invite } = await proveAttempt(this, ctx.params, ctx);
    const { id, name } = provider.settings;
    const user = await accountOf(this, ctx, provider, person, invite);
    const { address } = originOf(ctx);
    const given = { provider: id, groups: person.groups, ...(address !== undefined && { address }) };
    await call(ctx, "workspaces.applyGroups", { userId: user.id, ...given });
    const session = await signIn(this.store, user, {
      ...kindOf(ctx),
      provider: id,
      ...(person.severalFactors && { factor: "provider" as const }),
      ...(person.sid !== undefined && { providerSid: person.sid }),
    });
    await recordEvent(this, user.id, "signed_in", ctx, name);
    return withSessionCookie(ctx, user, session);
  },
  OUTSIDE,
);

/** Ends the sessions that a logout token names: those of one session at the provider, or all through the provider. */
export const logout = handle<"identity.sso.logout", SsoSelf>(
  "identity.sso.logout",
  async function (ctx) {
    const provider = providerOf(this, ctx.params.provider);
    try {
      const { issuer, tokenId, issuedAt, subject, sid } = await provider.client.readLogout(ctx.params.token);
      const use = [`logout ${issuer} ${tokenId}`, issuedAt * 1_000 + LOGOUT_MS] as const;
      if (await isSpent(this, ...use)) throw new SignInFault("The token was used already.");
      const link = subject === undefined ? null : await this.store.global(providerLinks).get({ issuer, subject });
      if (subject !== undefined && !link) return null;
      const all = this.store.global(sessions);
      const ended = {
        provider: provider.settings.id,
        ...(link && { userId: link.userId }),
        ...(sid !== undefined && { providerSid: sid }),
      };
      const { items } = await all.find(ended, { limit: MAX_SESSIONS });
      for (const session of items) if ((await all.remove({ id: session.id })) > 0) endStreams(ctx.broker, session.id);
      // The token is marked as used after the sessions have ended, so that the provider can repeat an interrupted call.
      await markSpent(this, ...use);
      return null;
    } catch (error) {
      const isExpected = error instanceof AppError || error instanceof SignInFault;
      throw isExpected ? await refusal(this, provider, ctx, error) : error;
    }
  },
  OUTSIDE,
);
