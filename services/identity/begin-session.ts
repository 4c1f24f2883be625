import { v7 as uuid } from "uuid";
import type { SignedIn } from "../../contracts/entities/user.ts";
import type { Store } from "../../adapters/store/port.ts";
import { config } from "../../config.ts";
import { signAccessToken } from "./access-token.ts";
import { AppError } from "../../contracts/errors.ts";
import { present, type SessionDoc, sessions, type UserDoc, users } from "./model.ts";
import { makeRefreshToken, refreshTokenHash } from "./refresh-token.ts";

const SESSION_MS = 30 * 24 * 3_600_000;
/** The most sessions of one user. A new one removes the oldest. */
export const MAX_SESSIONS = 100;

export const sessionEnd = (now: Date) => new Date(now.getTime() + SESSION_MS);

/** The fields of a session that depend on how it began. */
export type SessionKind = Pick<SessionDoc, "browser" | "userAgent" | "address" | "factor" | "provider" | "providerSid">;

/** The response when a session begins or is renewed at `at`. */
export const signedIn = (user: UserDoc, sessionId: string, refreshToken: string, at: Date): SignedIn => ({
  user: present(user),
  ...signAccessToken(config().JWT_SECRET, user.id, sessionId, at),
  refreshToken,
});

/**
 * Begins a session.
 * @throws {AppError} invalid_credentials when the account has changed since `user` was read
 */
export async function signIn(store: Store, user: UserDoc, kind: SessionKind = {}): Promise<SignedIn> {
  const key = config().JWT_SECRET;
  const id = uuid();
  const now = new Date();
  const refreshToken = makeRefreshToken(key, id);
  const all = store.global(sessions);
  await all.insert({
    id,
    userId: user.id,
    ...kind,
    refreshHash: refreshTokenHash(key, refreshToken),
    createdAt: now,
    updatedAt: now,
    expiresAt: sessionEnd(now),
  });
  // If the password was changed or the account disabled meanwhile, all sessions but this one have ended.
  const current = await store.global(users).get({ id: user.id });
  if (current?.passwordHash !== user.passwordHash || current.disabledAt) {
    await all.remove({ id });
    throw new AppError("invalid_credentials");
  }
  const count = await all.count({ userId: user.id }, { limit: MAX_SESSIONS + 1 });
  if (count > MAX_SESSIONS) await all.remove({ userId: user.id }, { limit: 1 });
  return signedIn(user, id, refreshToken, now);
}
