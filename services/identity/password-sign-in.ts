import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { config } from "../../config.ts";
import { type ActionContext, call, handle } from "../../contracts/call.ts";
import { AppError, errorCode } from "../../contracts/errors.ts";
import { admission } from "../../core/registration.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { UNKNOWN_USER, recordEvent, recordEventLater } from "./account-events.ts";
import { type UserDoc, users } from "./model.ts";
import { hashNewPassword } from "./new-password.ts";
import { refuseOperatorAddress } from "./operator-address.ts";
import { isPassword, decoyHash } from "./password.ts";
import { type FactorSelf, proveFactor } from "./second-factor.ts";
import { checkPasswordsAllowed } from "./sso-providers.ts";
import { type SessionKind, signIn } from "./begin-session.ts";

type Registering = ActionContext<"identity.register"> | ActionContext<"identity.browser.register">;

/** Whether the installation has no accounts. */
export const isEmpty = async (store: Store): Promise<boolean> =>
  (await store.global(users).count(ALIVE, { limit: 1 })) === 0;

/** Whether an invite to this address admits the person. */
export async function isInvited(ctx: { call: unknown }, email: string, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false;
  const offer = await call(ctx, "workspaces.invites.read", { token }).catch(() => null);
  return offer?.email === email;
}

/**
 * Creates a user. Of several concurrent first users, only one is admitted.
 * @throws {AppError} sso_only, registration_closed, email_taken, validation_failed
 */
export async function createUser(store: Store, ctx: Registering): Promise<UserDoc> {
  checkPasswordsAllowed();
  const { email, password, name = null } = ctx.params;
  const all = store.global(users);
  const facts = { isEmpty: await isEmpty(store), isInvited: await isInvited(ctx, email, ctx.params.invite) };
  const admitted = admission(config().REGISTRATION, facts);
  if (admitted === "refused") throw new AppError("registration_closed");
  // Only the insert checks whether the address is taken, so both cases take equally long.
  const passwordHash = await hashNewPassword(password, "/password", [email, name]);
  refuseOperatorAddress(email);
  const now = new Date();
  const user = { id: uuid(), email, name, passwordHash, createdAt: now, updatedAt: now };
  try {
    return await all.insert({ ...user, ...(admitted === "admitted-as-first" && { first: true }) });
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    throw new AppError((await all.get({ email })) ? "email_taken" : "registration_closed");
  }
}

type SigningIn = ActionContext<"identity.login"> | ActionContext<"identity.browser.login">;

/**
 * The user with these credentials. An unknown address takes the same work as a wrong password, including the work after
 * the response, which a next request could otherwise measure. Only with the right password does the error reveal that
 * an account is disabled.
 * @throws {AppError} invalid_credentials, account_disabled
 */
async function userWithPassword(self: FactorSelf, ctx: SigningIn): Promise<UserDoc> {
  const { email, password } = ctx.params;
  const user = await self.store.global(users).get({ email });
  const matches = await isPassword(password, user?.passwordHash ?? (await decoyHash()));
  if (!user || !matches) recordEventLater(self, user?.id ?? UNKNOWN_USER, "sign_in_failed", ctx);
  if (!user || !matches) throw new AppError("invalid_credentials");
  if (user.disabledAt) throw new AppError("account_disabled");
  return user;
}

/**
 * Begins a session for the credentials of a request.
 * @throws {AppError} sso_only, invalid_credentials, account_disabled, second_factor_required, invalid_code, rate_limited
 */
export async function signInByPassword(self: FactorSelf, ctx: SigningIn, kind: SessionKind = {}) {
  checkPasswordsAllowed();
  const user = await userWithPassword(self, ctx);
  const factor = await proveFactor(self, user, ctx.params.code).catch((error: unknown) => {
    if (errorCode(error) === "invalid_code") recordEventLater(self, user.id, "factor_failed", ctx);
    throw error;
  });
  const session = await signIn(self.store, user, { ...kind, ...(factor !== undefined && { factor }) });
  if (factor === "recovery") await recordEvent(self, user.id, "recovery_code_used", ctx);
  await recordEvent(self, user.id, "signed_in", ctx);
  return { user, session };
}

export const register = handle<"identity.register", WithStore>("identity.register", async function (ctx) {
  return signIn(this.store, await createUser(this.store, ctx));
});

export const login = handle<"identity.login", FactorSelf>("identity.login", async function (ctx) {
  return (await signInByPassword(this, ctx)).session;
});
