import { handle, userOf } from "../../contracts/call.ts";
import type { Session } from "../../contracts/entities/user.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type SessionDoc, sessions } from "./model.ts";
import { endStreams } from "./session.ts";

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
