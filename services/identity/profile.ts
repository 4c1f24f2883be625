import type { InputOf } from "../../contracts/actions.ts";
import { callerOf, handle, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { present, presentProfile, sessions, type UserDoc, users as all } from "./model.ts";
import { hashPassword, isPassword } from "./password.ts";
import { endSessions } from "./sessions.ts";

export const me = handle<"identity.me", WithStore>("identity.me", async function (ctx) {
  const user = await this.store.global(all).get({ id: callerOf(ctx).userId });
  if (!user) throw notFound("user");
  return presentProfile(user);
});

/**
 * Checks the current password for changes that would let a thief of an access token take the account over.
 * @throws {AppError} validation_failed at the field
 */
async function checkPassword(user: UserDoc, { email, password }: InputOf<"identity.updateMe">): Promise<void> {
  if (email === undefined && password === undefined) return;
  const fault = (message: string) =>
    new AppError("validation_failed", { errors: [{ path: "/password/current", message }] });
  if (password === undefined) throw fault("Expected the current password");
  if (!(await isPassword(password.current, user.passwordHash))) throw fault("This is not the current password");
}

export const updateMe = handle<"identity.updateMe", WithStore>("identity.updateMe", async function (ctx) {
  const { name, email, password, preferences } = ctx.params;
  const { userId: id, sessionId } = userOf(ctx);
  const users = this.store.global(all);
  const user = await users.get({ id });
  if (!user) throw notFound("user");
  await checkPassword(user, ctx.params);
  const passwordHash = password?.new === undefined ? undefined : await hashPassword(password.new);
  const given = { name, email, passwordHash, preferences };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0) return presentProfile(user);
  // The condition lets one of two password changes at the same moment win.
  const unchanged = passwordHash === undefined ? { id } : { id, passwordHash: user.passwordHash };
  const changed = await users.updateOne(unchanged, { $set: { ...changes, updatedAt: new Date() } }).catch(emailTaken);
  if (!changed) throw new AppError("conflict");
  if (passwordHash !== undefined) {
    await endSessions(ctx.broker, this.store.global(sessions), { userId: id, id: { $ne: sessionId } });
  }
  return presentProfile(changed);
});

function emailTaken(error: unknown): never {
  throw isUniqueConflict(error) ? new AppError("email_taken") : error;
}

export const users = handle<"identity.users", WithStore>("identity.users", async function (ctx) {
  const { ids } = ctx.params;
  if (ids.length === 0) return [];
  const { items } = await this.store.global(all).find({ id: { $in: ids } }, { limit: ids.length });
  return items.map(present);
});

export const userByEmail = handle<"identity.userByEmail", WithStore>("identity.userByEmail", async function (ctx) {
  const user = await this.store.global(all).get({ email: ctx.params.email });
  return user && present(user);
});
