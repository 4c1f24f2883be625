import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { config } from "../../config.ts";
import type { InputOf } from "../../contracts/actions.ts";
import { type ActionContext, call, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { type UserDoc, users } from "./model.ts";
import { hashPassword, isPassword, nobodysHash } from "./password.ts";
import { signIn } from "./sign-in.ts";

type NewUser = Pick<InputOf<"identity.register">, "email" | "password" | "name" | "invite">;
type Registering = ActionContext<"identity.register"> | ActionContext<"identity.browser.register">;

/** Whether anyone is registered. */
export const isEmpty = async (store: Store): Promise<boolean> =>
  (await store.global(users).count({}, { limit: 1 })) === 0;

async function isInvited(ctx: Registering, { email, invite: token }: NewUser): Promise<boolean> {
  if (token === undefined) return false;
  const offer = await call(ctx, "workspaces.invites.read", { token }).catch(() => null);
  return offer?.email === email;
}

/**
 * Creates a user.
 * @throws {AppError} registration_closed, email_taken
 */
export async function createUser(store: Store, ctx: Registering): Promise<UserDoc> {
  const { email, password, name = null } = ctx.params;
  const isOpen = config().REGISTRATION === "open" || (await isEmpty(store)) || (await isInvited(ctx, ctx.params));
  if (!isOpen) throw new AppError("registration_closed");
  const all = store.global(users);
  if (await all.get({ email })) throw new AppError("email_taken");
  const passwordHash = await hashPassword(password);
  const now = new Date();
  const user = { id: uuid(), email, name, passwordHash, createdAt: now, updatedAt: now };
  try {
    return await all.insert(user);
  } catch (error) {
    throw isUniqueConflict(error) ? new AppError("email_taken") : error;
  }
}

/**
 * The user with these credentials. An unknown address takes as long as a wrong password.
 * @throws {AppError} invalid_credentials
 */
export async function userWithPassword(store: Store, email: string, password: string): Promise<UserDoc> {
  const user = await store.global(users).get({ email });
  const matches = await isPassword(password, user?.passwordHash ?? (await nobodysHash()));
  if (!user || !matches) throw new AppError("invalid_credentials");
  return user;
}

export const register = handle<"identity.register", WithStore>("identity.register", async function (ctx) {
  return signIn(this.store, await createUser(this.store, ctx));
});

export const login = handle<"identity.login", WithStore>("identity.login", async function (ctx) {
  const { email, password } = ctx.params;
  return signIn(this.store, await userWithPassword(this.store, email, password));
});
