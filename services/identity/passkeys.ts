import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { createdKey, creationOptions, PasskeyFault } from "../../adapters/webauthn/passkeys.ts";
import { callerOf, handle, userOf } from "../../contracts/call.ts";
import { passkey } from "../../contracts/entities/passkey.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { presenter } from "../../service-kit/present.ts";
import { recordEvent } from "./account-events.ts";
import { passkeys, recoveries, sessions, users } from "./model.ts";
import { mailFactorChange } from "./change-mails.ts";
import { reauthenticatedCaller } from "./reauthenticate.ts";
import { sealChallenge, siteHere, takeChallenge } from "./passkey-attempt.ts";
import { hasPasskey, newRecovery, recoveryLeft } from "./use-recovery-codes.ts";
import { activeTotp } from "./second-factor.ts";
import type { SsoSelf } from "./sso-providers.ts";
import { removeSignInMethod } from "./sign-in-methods.ts";

/** The most passkeys of one account. */
const MAX_PASSKEYS = 20;

const present = presenter(passkey, passkeys);

async function ownPasskeys({ store }: SsoSelf, userId: string) {
  const { items } = await store.global(passkeys).find({ userId }, { limit: MAX_PASSKEYS });
  return items;
}

export const list = handle<"identity.passkeys.list", SsoSelf>("identity.passkeys.list", async function (ctx) {
  const { limit, cursor: after = null } = ctx.params;
  const { userId } = callerOf(ctx);
  const newest = { sort: { id: -1 as const }, limit, after };
  const { items, next } = await this.store.global(passkeys).find({ userId }, newest);
  return { items: items.map(present), next };
});

export const begin = handle<"identity.passkeys.begin", SsoSelf>("identity.passkeys.begin", async function (ctx) {
  const site = siteHere();
  const user = await reauthenticatedCaller(this, userOf(ctx), ctx.params.password);
  const existing = await ownPasskeys(this, user.id);
  if (existing.length >= MAX_PASSKEYS) throw new AppError("limit_reached");
  const options = await creationOptions(site, user, existing);
  return { options: { ...options }, attempt: sealChallenge(this, options.challenge, user.id) };
});

/** The session of the request counts as proved by the passkey, because the person has just used it. */
export const finish = handle<"identity.passkeys.finish", SsoSelf>("identity.passkeys.finish", async function (ctx) {
  const { attempt, response, name } = ctx.params;
  const { userId, sessionId } = userOf(ctx);
  const challenge = await takeChallenge(this, attempt, userId);
  const key = await createdKey(siteHere(), response, challenge).catch((error: unknown) => {
    throw error instanceof PasskeyFault ? new AppError("passkey_refused", { detail: error.message }) : error;
  });
  const { store } = this;
  const all = store.global(passkeys);
  if ((await all.count({ userId }, { limit: MAX_PASSKEYS })) >= MAX_PASSKEYS) throw new AppError("limit_reached");
  const totp = await activeTotp(this, userId);
  // Stored codes without a factor come from an interrupted call, so the person has not seen them.
  const isFirstFactor = !totp && !(await hasPasskey(store, userId));
  const needsCodes = isFirstFactor || (await recoveryLeft(store, userId, totp)) === 0;
  // The codes are stored before the passkey, because losing a passkey without codes would lock the person out.
  const recoveryCodes = needsCodes ? await newRecovery(this, userId, totp) : null;
  const made = { id: uuid(), userId, name, ...key, createdAt: new Date() };
  await all.insert(made).catch((error: unknown) => {
    throw isUniqueConflict(error)
      ? new AppError("passkey_refused", { detail: "The passkey is already in use." })
      : error;
  });
  await store.global(sessions).updateOne({ id: sessionId, userId }, { $set: { factor: "passkey" } });
  await recordEvent(this, userId, "passkey_added", ctx, name);
  const user = await store.global(users).get({ id: userId });
  if (user) await mailFactorChange(this, user, "A passkey was added to your account.");
  return { passkey: present(made), recoveryCodes };
});

export const rename = handle<"identity.passkeys.rename", SsoSelf>("identity.passkeys.rename", async function (ctx) {
  const { id, name } = ctx.params;
  const { userId } = userOf(ctx);
  const renamed = await this.store.global(passkeys).updateOne({ id, userId }, { $set: { name } });
  if (!renamed) throw notFound("passkey");
  return present(renamed);
});

export const remove = handle<"identity.passkeys.remove", SsoSelf>("identity.passkeys.remove", async function (ctx) {
  const { id, password } = ctx.params;
  const { store } = this;
  const user = await reauthenticatedCaller(this, userOf(ctx), password);
  const found = await store.global(passkeys).get({ id, userId: user.id });
  if (!found) throw notFound("passkey");
  await removeSignInMethod(this, user.id, id);
  if (!(await hasPasskey(store, user.id))) await store.global(recoveries).remove({ id: user.id });
  await recordEvent(this, user.id, "passkey_removed", ctx, found.name);
  await mailFactorChange(this, user, "A passkey was removed from your account.");
  return null;
});
