import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { callerOf, handle, userOf } from "../../contracts/call.ts";
import { AppError, errorCode, notFound } from "../../contracts/errors.ts";
import { recordEvent, recordEventLater } from "./account-events.ts";
import { passkeys, recoveries, sessions, totps, users } from "./model.ts";
import { mailFactorChange } from "./change-mails.ts";
import { reauthenticatedCaller } from "./reauthenticate.ts";
import { makeRecoveryCodes } from "./make-recovery-codes.ts";
import { hasPasskey, keepRecovery, newRecovery, recoveryLeft } from "./use-recovery-codes.ts";
import { activeTotp, type FactorSelf, proveFactor } from "./second-factor.ts";
import { newTotpSecret, periodOf, totpUri } from "./totp.ts";

/** Counting stops at the maximum number of passkeys of one account. */
const MAX_PASSKEYS = 20;

export const read = handle<"identity.factors.read", FactorSelf>("identity.factors.read", async function (ctx) {
  const caller = callerOf(ctx);
  const { userId } = caller;
  const totp = await activeTotp(this, userId);
  return {
    totp: totp !== null,
    proved: caller.kind === "user" && caller.factor === true,
    since: totp?.confirmedAt?.toISOString() ?? null,
    passkeys: await this.store.global(passkeys).count({ userId }, { limit: MAX_PASSKEYS }),
    recoveryCodes: await recoveryLeft(this.store, userId, totp),
  };
});

/** Adds a second factor to a session that began without one, such as a session through a provider. */
export const prove = handle<"identity.factors.prove", FactorSelf>("identity.factors.prove", async function (ctx) {
  const { userId: id, sessionId } = userOf(ctx);
  const factor = await proveFactor(this, { id }, ctx.params.code).catch((error: unknown) => {
    if (errorCode(error) === "invalid_code") recordEventLater(this, id, "factor_failed", ctx);
    throw error;
  });
  if (factor === undefined) throw notFound("second factor");
  await this.store.global(sessions).updateOne({ id: sessionId, userId: id }, { $set: { factor } });
  if (factor === "recovery") await recordEvent(this, id, "recovery_code_used", ctx);
  return null;
});

/** An unconfirmed secret does not affect sign-ins, and the next one replaces it. */
export const begin = handle<"identity.factors.beginTotp", FactorSelf>(
  "identity.factors.beginTotp",
  async function (ctx) {
    const { userId: id } = userOf(ctx);
    const user = await reauthenticatedCaller(this, userOf(ctx), ctx.params.password);
    if (await activeTotp(this, id)) throw new AppError("factor_exists");
    const secret = newTotpSecret();
    const sealed = this.totpSealer.seal(secret, id);
    const all = this.store.global(totps);
    await all.remove({ id, confirmedAt: null });
    const made = { id, secret: sealed, recovery: [], failures: 0, version: 0, createdAt: new Date() };
    await all.insert(made).catch((error: unknown) => {
      throw isUniqueConflict(error) ? new AppError("conflict") : error;
    });
    return { secret, uri: totpUri(secret, user.email) };
  },
);

export const confirm = handle<"identity.factors.confirmTotp", FactorSelf>(
  "identity.factors.confirmTotp",
  async function (ctx) {
    const { userId: id, sessionId } = userOf(ctx);
    const all = this.store.global(totps);
    const totp = await all.get({ id });
    if (!totp) throw notFound("authenticator app");
    if (totp.confirmedAt) throw new AppError("factor_exists");
    const now = new Date();
    const lastPeriod = periodOf(this.totpSealer.open(totp.secret, id), ctx.params.code, now.getTime());
    if (lastPeriod === null) throw new AppError("invalid_code");
    const { codes, hashes } = makeRecoveryCodes(this.hashKey);
    const change = { $set: { confirmedAt: now, lastPeriod, recovery: hashes }, $inc: { version: 1 } };
    if (!(await all.updateOne({ id, version: totp.version, confirmedAt: null }, change)))
      throw new AppError("conflict");
    await this.store.global(recoveries).remove({ id });
    // The person has just entered a code, so the session counts as proved by it.
    await this.store.global(sessions).updateOne({ id: sessionId, userId: id }, { $set: { factor: "totp" } });
    const user = await this.store.global(users).get({ id });
    await recordEvent(this, id, "totp_added", ctx);
    if (user) await mailFactorChange(this, user, "An authenticator app was set up for your account.");
    return { recoveryCodes: codes };
  },
);

export const removeTotp = handle<"identity.factors.removeTotp", FactorSelf>(
  "identity.factors.removeTotp",
  async function (ctx) {
    const { userId: id } = userOf(ctx);
    const user = await reauthenticatedCaller(this, userOf(ctx), ctx.params.password);
    const totp = await this.store.global(totps).get({ id });
    if (!totp) throw notFound("authenticator app");
    // The recovery codes remain for the passkeys. They are copied before the app is removed, and the copy takes effect
    // only without an app. So an interrupted call can be repeated.
    if (totp.confirmedAt && (await hasPasskey(this.store, id))) await keepRecovery(this.store, id, totp.recovery);
    if ((await this.store.global(totps).remove({ id })) === 0) throw notFound("authenticator app");
    await recordEvent(this, id, "totp_removed", ctx);
    await mailFactorChange(this, user, "The authenticator app was removed from your account.");
    return null;
  },
);

export const renewCodes = handle<"identity.factors.renewCodes", FactorSelf>(
  "identity.factors.renewCodes",
  async function (ctx) {
    const { userId: id } = userOf(ctx);
    await reauthenticatedCaller(this, userOf(ctx), ctx.params.password);
    const totp = await activeTotp(this, id);
    if (!totp && !(await hasPasskey(this.store, id))) throw notFound("second factor");
    const recoveryCodes = await newRecovery(this, id, totp);
    await recordEvent(this, id, "recovery_codes_renewed", ctx);
    return { recoveryCodes };
  },
);
