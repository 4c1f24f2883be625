import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import type { Collection } from "../../adapters/store/port.ts";
import { handle, hint, userOf } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { config } from "../../config.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type SessionDoc, sessions, users } from "./model.ts";
import { isInGrace, replacedNow, tokenPositionOf } from "./refresh-grace.ts";
import { refreshTokenHash, sessionOfRefreshToken, successorOf } from "./refresh-token.ts";
import { sessionEnd, signedIn } from "./begin-session.ts";

/** Each failed try means that another write succeeded, so a few tries are enough. */
const MAX_TRIES = 10;
const TRY_AGAIN_MS = 20;

export interface Renewed {
  session: SessionDoc;
  refreshToken: string;
}

/** Tells all nodes to close the event streams of a session or an API key. */
export const endStreams = (broker: ServiceBroker, credentialId: string) =>
  hint(broker, "all", "credential.ended", { credentialId });

/** Replaces the current token of a session. Null if another request has replaced it since the session was read. */
export async function replaceToken(
  all: Collection<SessionDoc>,
  read: SessionDoc,
  token: string,
): Promise<Renewed | null> {
  const { id, refreshHash } = read;
  const key = config().JWT_SECRET;
  const refreshToken = successorOf(key, id, token);
  const now = new Date();
  const $set = {
    refreshHash: refreshTokenHash(key, refreshToken),
    replacedAt: replacedNow(read, now),
    expiresAt: sessionEnd(now),
    updatedAt: now,
  };
  const session = await all.updateOne({ id, refreshHash }, { $set });
  return session && { session, refreshToken };
}

/**
 * The result of this token for the session as it was read; null if the session has changed meanwhile.
 * @throws {AppError} invalid_refresh_token when the token is not accepted
 */
async function renew(
  broker: ServiceBroker,
  all: Collection<SessionDoc>,
  id: string,
  token: string,
): Promise<Renewed | null> {
  const session = await all.get({ id });
  const now = new Date();
  if (!session || session.browser || session.expiresAt <= now) throw new AppError("invalid_refresh_token");
  const standing = tokenPositionOf(config().JWT_SECRET, session, token);
  if (standing?.behind === 0) return replaceToken(all, session, token);
  if (standing && isInGrace(session, standing.behind, now)) return { session, refreshToken: standing.current };
  // An old token was used again, so a copy of it exists. The owner cannot be distinguished from the thief, so the
  // session ends.
  if ((await all.remove({ id, refreshHash: session.refreshHash })) === 0) return null;
  endStreams(broker, id);
  throw new AppError("invalid_refresh_token");
}

/** Within the grace period, a previous token gives the same response on every node, even concurrently. */
export const refresh = handle<"identity.refresh", WithStore>("identity.refresh", async function (ctx) {
  const { refreshToken: token } = ctx.params;
  const id = sessionOfRefreshToken(config().JWT_SECRET, token);
  if (!id) throw new AppError("invalid_refresh_token");
  const all = this.store.global(sessions);
  let renewed = await renew(ctx.broker, all, id, token);
  for (let tries = 1; !renewed && tries < MAX_TRIES; tries++) {
    await sleep(TRY_AGAIN_MS * Math.random());
    renewed = await renew(ctx.broker, all, id, token);
  }
  if (!renewed) throw new AppError("unavailable");
  const { session, refreshToken } = renewed;
  const user = await this.store.global(users).get({ id: session.userId });
  if (!user || user.disabledAt) throw new AppError("invalid_refresh_token");
  return signedIn(user, id, refreshToken, session.updatedAt);
});

export const logout = handle<"identity.logout", WithStore>("identity.logout", async function (ctx) {
  const { userId, sessionId } = userOf(ctx);
  await this.store.global(sessions).remove({ id: sessionId, userId });
  endStreams(ctx.broker, sessionId);
  return null;
});
