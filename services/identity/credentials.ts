import { v7 as uuid } from "uuid";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isUniqueConflict } from "../../service-kit/store-conflicts.ts";
import { users } from "./model.ts";
import { hashPassword, isPassword, nobodysHash } from "./password.ts";
import { signIn } from "./sign-in.ts";

export const register = handle<"identity.register", WithStore>("identity.register", async function (ctx) {
  const { email, password, name = null } = ctx.params;
  const all = this.store.global(users);
  if (await all.get({ email })) throw new AppError("email_taken");
  const passwordHash = await hashPassword(password);
  const now = new Date();
  const user = { id: uuid(), email, name, passwordHash, createdAt: now, updatedAt: now };
  try {
    await all.insert(user);
  } catch (error) {
    throw isUniqueConflict(error) ? new AppError("email_taken") : error;
  }
  return signIn(this.store, user);
});

export const login = handle<"identity.login", WithStore>("identity.login", async function (ctx) {
  const { email, password } = ctx.params;
  const user = await this.store.global(users).get({ email });
  const matches = await isPassword(password, user?.passwordHash ?? (await nobodysHash()));
  if (!user || !matches) throw new AppError("invalid_credentials");
  return signIn(this.store, user);
});
