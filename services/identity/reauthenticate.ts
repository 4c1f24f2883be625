import { AppError, notFound } from "../../contracts/errors.ts";
import type { UserIdentity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { sessions, type UserDoc, users } from "./model.ts";
import { isPassword } from "./password.ts";

/** How recent a sign-in must be to replace the password of an account that has none. */
const RECENT_MS = 15 * 60_000;

/**
 * Checks that the person requests a change, and not a thief of an access token: by the password, or, for an account
 * without one, by a recent sign-in.
 * @throws {AppError} validation_failed at `path` for a wrong password, sign_in_again
 */
export async function reauthenticate(
  { store }: WithStore,
  user: UserDoc,
  { sessionId }: UserIdentity,
  password: string | undefined,
  path: string,
): Promise<void> {
  if (user.noPassword) {
    const session = await store.global(sessions).get({ id: sessionId });
    if (session && session.createdAt.getTime() >= Date.now() - RECENT_MS) return;
    throw new AppError("sign_in_again");
  }
  if (password !== undefined && (await isPassword(password, user.passwordHash))) return;
  const message = password === undefined ? "Expected the current password" : "This is not the current password";
  throw new AppError("validation_failed", { errors: [{ path, message }] });
}

/**
 * The user document of the caller, after `reauthenticate`.
 * @throws {AppError} not_found, and the errors of `reauthenticate` at /password
 */
export async function reauthenticatedCaller(
  self: WithStore,
  caller: UserIdentity,
  password: string | undefined,
): Promise<UserDoc> {
  const user = await self.store.global(users).get({ id: caller.userId });
  if (!user) throw notFound("user");
  await reauthenticate(self, user, caller, password, "/password");
  return user;
}
