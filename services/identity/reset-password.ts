import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { isNotMatched } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { idOfLinkToken, makeLinkToken } from "../../service-kit/link-token.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { recordEvent } from "./account-events.ts";
import { passwordResets, type PasswordResetDoc, type UserDoc, users } from "./model.ts";
import { hashNewPassword } from "./new-password.ts";
import { mailPasswordChange } from "./change-mails.ts";
import { checkPasswordsAllowed } from "./sso-providers.ts";
import { passwordWrites, writeAndEnd } from "./set-password.ts";

const PURPOSE = "password reset";
/** The part after the `#` is not sent to servers, so the token does not appear in their logs. */
const LINK = "/reset-password#token=";

type Self = Service & WithStore & WithHashKey;

/** The link with which a person sets a new password. */
export const resetLink = (hashKey: string, resetId: string, base = publicUrl()): string =>
  base + LINK + makeLinkToken(hashKey, PURPOSE, resetId);

/** Lets a person set a new password once, for `lifetimeMs` from `now`. A repeated call with one id changes nothing. */
export async function openReset(
  store: Store,
  userId: string,
  lifetimeMs: number,
  { id = uuid(), now = new Date() } = {},
): Promise<PasswordResetDoc> {
  const doc = { id, userId, createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) };
  const all = store.global(passwordResets);
  return (
    (await insertOnce(
      () => all.insert(doc),
      () => all.get({ id }),
    )) ?? doc
  );
}

/** @throws {AppError} link_invalid for every fault of the token, so that the error reveals nothing */
async function resetOf({ store, hashKey }: Self, token: string): Promise<{ reset: PasswordResetDoc; user: UserDoc }> {
  const id = idOfLinkToken(hashKey, PURPOSE, token);
  const reset = id && (await store.global(passwordResets).get({ id }));
  const user = reset && reset.expiresAt > new Date() && (await store.global(users).get({ id: reset.userId }));
  if (!reset || !user) throw new AppError("link_invalid");
  return { reset, user };
}

/** The address whose password a link resets. Password managers store the new password under it. */
export const readReset = handle<"identity.password.readReset", Self>(
  "identity.password.readReset",
  async function (ctx) {
    const { reset, user } = await resetOf(this, ctx.params.token);
    return { email: user.email, expiresAt: reset.expiresAt.toISOString() };
  },
);

/** A refused password leaves the link usable. Of two concurrent requests with one link, only one succeeds. */
export const reset = handle<"identity.password.reset", Self>("identity.password.reset", async function (ctx) {
  checkPasswordsAllowed();
  const { token, password } = ctx.params;
  const found = await resetOf(this, token);
  const { id, email, name } = found.user;
  const passwordHash = await hashNewPassword(password, "/password", [email, name]);
  const { store } = this;
  const used = store
    .global(passwordResets)
    .ops.updateOne({ id: found.reset.id, usedAt: null }, { $set: { usedAt: new Date() } }, { required: true });
  try {
    await writeAndEnd(store, ctx.broker, id, [used, ...passwordWrites(store, { id }, { passwordHash })]);
  } catch (error) {
    throw isNotMatched(error) ? new AppError("link_invalid") : error;
  }
  await recordEvent(this, id, "password_reset", ctx);
  await mailPasswordChange(this, { email });
  return null;
});
