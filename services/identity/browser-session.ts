import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import type { Collection } from "../../adapters/store/port.ts";
import { config } from "../../config.ts";
import { type ActionContext, handle } from "../../contracts/call.ts";
import type { BrowserSession, SignedIn } from "../../contracts/entities/user.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { signAccessToken } from "./access-token.ts";
import { originOf } from "./account-events.ts";
import { createUser, signInByPassword } from "./password-sign-in.ts";
import { presentProfile, type SessionDoc, sessions, type UserDoc, users } from "./model.ts";
import { isInGrace, tokenPositionOf } from "./refresh-grace.ts";
import { sessionOfRefreshToken } from "./refresh-token.ts";
import type { FactorSelf } from "./second-factor.ts";
import { endStreams, type Renewed, replaceToken } from "./refresh-session.ts";
import { type SessionKind, sessionEnd, signIn } from "./begin-session.ts";

/**
 * After a day of use, the cookie's token is replaced. So most requests replace nothing, and tabs that start at the same
 * time do not race.
 */
const RENEW_MS = 24 * 3_600_000;
/** How long the previous token is accepted, for requests that were already sent. */
const GRACE_MS = 60_000;
/** The minimum time between two writes of `usedAt`. */
const NOTE_USE_MS = 300_000;
const MAX_TRIES = 10;
const TRY_AGAIN_MS = 20;

type Entering =
  | ActionContext<"identity.browser.register">
  | ActionContext<"identity.browser.login">
  | ActionContext<"identity.browser.sso.finish">
  | ActionContext<"identity.browser.passkeys.finish">;

export function kindOf(ctx: Entering): SessionKind {
  return { browser: true, ...originOf(ctx) };
}

/** Sets the cookie of a new session. */
export function withSessionCookie(
  ctx: Entering,
  user: UserDoc,
  { refreshToken, accessToken, expiresAt }: SignedIn,
): BrowserSession {
  ctx.meta.session = { token: refreshToken, expiresAt: sessionEnd(new Date()) };
  return { user: presentProfile(user), accessToken, expiresAt };
}

export const register = handle<"identity.browser.register", WithStore>(
  "identity.browser.register",
  async function (ctx) {
    const user = await createUser(this.store, ctx);
    return withSessionCookie(ctx, user, await signIn(this.store, user, kindOf(ctx)));
  },
);

export const login = handle<"identity.browser.login", FactorSelf>("identity.browser.login", async function (ctx) {
  const { user, session } = await signInByPassword(this, ctx, kindOf(ctx));
  return withSessionCookie(ctx, user, session);
});

type Resumed = Renewed | "ended" | "changed";

/** The session of a cookie's token, and the token that the cookie should have now. */
async function resume(
  broker: ServiceBroker,
  all: Collection<SessionDoc>,
  id: string,
  token: string,
  now: Date,
): Promise<Resumed> {
  const session = await all.get({ id });
  if (!session?.browser || session.expiresAt <= now) return "ended";
  const standing = tokenPositionOf(config().JWT_SECRET, session, token);
  if (standing?.behind === 0) {
    if (now.getTime() - session.updatedAt.getTime() >= RENEW_MS) {
      return (await replaceToken(all, session, token)) ?? "changed";
    }
    return { session, refreshToken: token };
  }
  if (standing && isInGrace(session, standing.behind, now, GRACE_MS)) {
    return { session, refreshToken: standing.current };
  }
  // The browser replaced this token long ago, so someone else has a copy of it.
  if ((await all.remove({ id, refreshHash: session.refreshHash })) === 0) return "changed";
  endStreams(broker, id);
  return "ended";
}

async function resumeWithRetry(broker: ServiceBroker, all: Collection<SessionDoc>, token: string, now: Date) {
  const id = sessionOfRefreshToken(config().JWT_SECRET, token);
  if (!id) return "ended";
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await sleep(TRY_AGAIN_MS * Math.random());
    const resumed = await resume(broker, all, id, token, now);
    if (resumed !== "changed") return resumed;
  }
  throw new AppError("unavailable");
}

export const token = handle<"identity.browser.token", WithStore>("identity.browser.token", async function (ctx) {
  const { session: given } = ctx.params;
  if (given === undefined) return null;
  const all = this.store.global(sessions);
  const now = new Date();
  const resumed = await resumeWithRetry(ctx.broker, all, given, now);
  const user = resumed === "ended" ? null : await this.store.global(users).get({ id: resumed.session.userId });
  if (resumed === "ended" || !user || user.disabledAt) {
    ctx.meta.session = null;
    return null;
  }
  const { session, refreshToken } = resumed;
  const { id, updatedAt, usedAt = updatedAt, expiresAt } = session;
  if (now.getTime() - usedAt.getTime() >= NOTE_USE_MS) await all.updateOne({ id }, { $set: { usedAt: now } });
  if (refreshToken !== given) ctx.meta.session = { token: refreshToken, expiresAt };
  return { user: presentProfile(user), ...signAccessToken(config().JWT_SECRET, user.id, id, now) };
});

/** The session of a cookie's token; null when the token is not accepted. */
export async function sessionOfCookie({ store }: WithStore, given: string | undefined): Promise<SessionDoc | null> {
  const key = config().JWT_SECRET;
  const id = given === undefined ? null : sessionOfRefreshToken(key, given);
  if (!id || given === undefined) return null;
  const session = await store.global(sessions).get({ id });
  const now = new Date();
  if (!session?.browser || session.expiresAt <= now) return null;
  const standing = tokenPositionOf(key, session, given);
  return standing && (standing.behind === 0 || isInGrace(session, standing.behind, now, GRACE_MS)) ? session : null;
}

export const logout = handle<"identity.browser.logout", WithStore>("identity.browser.logout", async function (ctx) {
  const { session: given } = ctx.params;
  ctx.meta.session = null;
  const session = await sessionOfCookie(this, given);
  // A token that is no longer accepted must not end the session either.
  if (!session) return null;
  await this.store.global(sessions).remove({ id: session.id });
  endStreams(ctx.broker, session.id);
  return null;
});
