import type { Service } from "moleculer";
import { handle, userOf } from "../../contracts/call.ts";
import type { Session } from "../../contracts/entities/user.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { recordEvent } from "./account-events.ts";
import { type SessionDoc, sessions } from "./model.ts";
import { endStreams } from "./refresh-session.ts";
import { writeAndEnd } from "./set-password.ts";

function present(doc: SessionDoc, currentId: string): Session {
  const { id, browser, userAgent = null, address = null, createdAt, updatedAt, usedAt = updatedAt, expiresAt } = doc;
  const lastUsedAt = usedAt > updatedAt ? usedAt : updatedAt;
  return {
    id,
    kind: browser ? "browser" : "program",
    userAgent,
    address,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    current: id === currentId,
  };
}

export const list = handle<"identity.sessions.list", WithStore>("identity.sessions.list", async function (ctx) {
  const { limit, cursor: after = null } = ctx.params;
  const { userId, sessionId } = userOf(ctx);
  const open = { userId, expiresAt: { $gt: new Date() } };
  const { items, next } = await this.store.global(sessions).find(open, { sort: { id: -1 }, limit, after });
  return { items: items.map(doc => present(doc, sessionId)), next };
});

export const remove = handle<"identity.sessions.remove", WithStore>("identity.sessions.remove", async function (ctx) {
  const { id } = ctx.params;
  const { userId } = userOf(ctx);
  if ((await this.store.global(sessions).remove({ id, userId })) === 0) throw notFound("session");
  endStreams(ctx.broker, id);
  return null;
});

export const removeOthers = handle<"identity.sessions.removeOthers", Service & WithStore>(
  "identity.sessions.removeOthers",
  async function (ctx) {
    const { userId, sessionId } = userOf(ctx);
    const others = this.store.global(sessions).ops.remove({ userId, id: { $ne: sessionId } });
    await writeAndEnd(this.store, ctx.broker, userId, [others], sessionId);
    await recordEvent(this, userId, "other_sessions_ended", ctx);
    return null;
  },
);
