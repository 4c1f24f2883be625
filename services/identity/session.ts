import { handle, hint, userOf } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { config } from "../../config.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { sessions, users } from "./model.ts";
import { makeRefreshToken, refreshTokenHash, sessionOfRefreshToken } from "./refresh-token.ts";
import { sessionEnd, signedIn } from "./sign-in.ts";

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
    hint(ctx.broker, "all", "credential.ended", { credentialId: id });
    throw new AppError("invalid_refresh_token");
  }
  const user = await this.store.global(users).get({ id: session.userId });
  if (!user) throw new AppError("invalid_refresh_token");
  return signedIn(user, id, next);
});

export const logout = handle<"identity.logout", WithStore>("identity.logout", async function (ctx) {
  const { userId, sessionId } = userOf(ctx);
  await this.store.global(sessions).remove({ id: sessionId, userId });
  hint(ctx.broker, "all", "credential.ended", { credentialId: sessionId });
  return null;
});
