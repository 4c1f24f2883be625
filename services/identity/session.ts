import { callerOf, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { config } from "../../config.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { Claims } from "./access-token.ts";
import { sessions, users } from "./model.ts";
import { makeRefreshToken, refreshTokenHash, sessionOfRefreshToken } from "./refresh-token.ts";
import { sessionEnd, signedIn } from "./sign-in.ts";

export interface WithTokenReader {
  readToken: (token: string) => Claims | null;
}

/** Asked with every request, so it costs one read; the session must be there, whatever the token says. */
export const verify = handle<"identity.verify", WithStore & WithTokenReader>("identity.verify", async function (ctx) {
  const claims = this.readToken(ctx.params.token);
  if (!claims) return null;
  const { userId, sessionId } = claims;
  const session = await this.store.global(sessions).shared({ id: sessionId });
  if (session?.userId !== userId || session.expiresAt.getTime() <= Date.now()) return null;
  return { kind: "user", userId, sessionId };
});

export const refresh = handle<"identity.refresh", WithStore>("identity.refresh", async function (ctx) {
  const { refreshToken } = ctx.params;
  const key = config().JWT_SECRET;
  const id = sessionOfRefreshToken(key, refreshToken);
  if (!id) throw new AppError("invalid_refresh_token");
  const all = this.store.global(sessions);
  const now = new Date();
  const next = makeRefreshToken(key, id);
  const session = await all.updateOne(
    { id, refreshHash: refreshTokenHash(key, refreshToken), expiresAt: { $gt: now } },
    { $set: { refreshHash: refreshTokenHash(key, next), expiresAt: sessionEnd(now), updatedAt: now } },
  );
  if (!session) {
    // It was good once: somebody holds a copy, and which of the two is the owner cannot be told.
    await all.remove({ id });
    throw new AppError("invalid_refresh_token");
  }
  const user = await this.store.global(users).get({ id: session.userId });
  if (!user) throw new AppError("invalid_refresh_token");
  return signedIn(user, id, next);
});

export const logout = handle<"identity.logout", WithStore>("identity.logout", async function (ctx) {
  const { userId, sessionId } = callerOf(ctx);
  await this.store.global(sessions).remove({ id: sessionId, userId });
  return null;
});
