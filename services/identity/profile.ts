import type { Service } from "moleculer";
import { callerOf, handle, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { hasMail } from "../../service-kit/mail.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { mailBothAddresses } from "./change-email.ts";
import { recordEvent } from "./account-events.ts";
import { passwordResets, present, presentProfile, users as all } from "./model.ts";
import { hashNewPassword } from "./new-password.ts";
import { reauthenticate } from "./reauthenticate.ts";
import { refuseOperatorAddress } from "./operator-address.ts";
import { mailPasswordChange } from "./change-mails.ts";
import { passwordWrites, writeAndEnd } from "./set-password.ts";

export const me = handle<"identity.me", WithStore>("identity.me", async function (ctx) {
  const user = await this.store.global(all).get({ id: callerOf(ctx).userId });
  if (!user) throw notFound("user");
  return presentProfile(user);
});

export const updateMe = handle<"identity.updateMe", Service & WithStore & WithHashKey>(
  "identity.updateMe",
  async function (ctx) {
    const { name, email, password, preferences, mails } = ctx.params;
    const { userId: id, sessionId } = userOf(ctx);
    const users = this.store.global(all);
    const user = await users.get({ id });
    if (!user) throw notFound("user");
    // Prevents a thief of an access token from taking over the account.
    if (email !== undefined || password !== undefined)
      await reauthenticate(this, user, userOf(ctx), password?.current, "/password/current");
    const personal = [email ?? user.email, name ?? user.name];
    const passwordHash =
      password?.new === undefined ? undefined : await hashNewPassword(password.new, "/password/new", personal);
    const isMoved = email !== undefined && email !== user.email;
    if (isMoved && !hasMail()) refuseOperatorAddress(email);
    // If Weft can send mails, an address changes only once both addresses have confirmed it.
    if (isMoved && hasMail()) await mailBothAddresses(this, user, email);
    const given = { name, email: isMoved && hasMail() ? undefined : email, passwordHash, preferences, mails };
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length === 0) return presentProfile(user);
    if (passwordHash !== undefined) {
      // The condition lets only one of two concurrent password changes succeed.
      const writes = passwordWrites(this.store, { id, passwordHash: user.passwordHash }, changes, sessionId);
      await writeAndEnd(this.store, ctx.broker, id, writes, sessionId).catch(refusal);
      await recordEvent(this, id, "password_changed", ctx);
      await mailPasswordChange(this, user);
    } else await users.updateOne({ id }, { $set: { ...changes, updatedAt: new Date() } }).catch(refusal);
    if (given.email !== undefined && isMoved) {
      await this.store.global(passwordResets).remove({ userId: id });
      await recordEvent(this, id, "email_changed", ctx);
    }
    const changed = await users.get({ id });
    if (!changed) throw new AppError("conflict");
    return presentProfile(changed);
  },
);

function refusal(error: unknown): never {
  if (isNotMatched(error)) throw new AppError("conflict");
  throw isUniqueConflict(error) ? new AppError("email_taken") : error;
}

export const users = handle<"identity.users", WithStore>("identity.users", async function (ctx) {
  const { ids } = ctx.params;
  if (ids.length === 0) return [];
  const { items } = await this.store.global(all).find({ id: { $in: ids }, ...ALIVE }, { limit: ids.length });
  return items.map(present);
});

/** A disabled account receives no mails. */
export const mailChoices = handle<"identity.mailChoices", WithStore>("identity.mailChoices", async function (ctx) {
  const { ids } = ctx.params;
  const { items } = await this.store.global(all).find({ id: { $in: ids }, ...ALIVE }, { limit: ids.length });
  return items.map(({ id, email, mails = "none", disabledAt }) => ({ id, email, mails: disabledAt ? "none" : mails }));
});

export const userByEmail = handle<"identity.userByEmail", WithStore>("identity.userByEmail", async function (ctx) {
  const user = await this.store.global(all).get({ email: ctx.params.email });
  return user && present(user);
});
