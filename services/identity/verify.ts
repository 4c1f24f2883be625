import type { Service } from "moleculer";
import { handle } from "../../contracts/call.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Claims } from "./access-token.ts";
import { apiKeyHash, isApiKey } from "./api-key-token.ts";
import type { KeyUses } from "./key-uses.ts";
import { apiKeys, sessions, users } from "./model.ts";

export interface WithCredentials {
  readToken: (token: string) => Claims | null;
  keyUses: KeyUses;
}

type Self = Service & WithStore & WithHashKey & WithCredentials;

/** The session must exist, even if the token is valid. */
async function ofAccessToken({ store, readToken }: Self, token: string): Promise<Identity | null> {
  const claims = readToken(token);
  if (!claims) return null;
  const { userId, sessionId } = claims;
  const session = await store.global(sessions).shared({ id: sessionId });
  if (session?.userId !== userId || session.expiresAt.getTime() <= Date.now()) return null;
  return { kind: "user", userId, sessionId, ...(session.factor && { factor: true }) };
}

/**
 * A key ends while its creator's account is disabled. The access check finds out whether the creator is still a member,
 * because it reads the role anyway.
 */
async function ofApiKey({ store, keyUses, hashKey }: Self, token: string): Promise<Identity | null> {
  const hash = apiKeyHash(hashKey, token);
  const key = await store.acrossTenants(apiKeys).shared({ hash });
  if (!key || (key.expiresAt && key.expiresAt.getTime() <= Date.now())) return null;
  const creator = await store.global(users).shared({ id: key.createdBy });
  if (creator?.disabledAt) return null;
  keyUses.note(key);
  const { id: keyId, createdBy: userId, workspaceId, role, memberId } = key;
  return { kind: "apiKey", userId, keyId, workspaceId, role, memberId };
}

/** Every request calls this, so it costs one read, usually from memory. */
export const verify = handle<"identity.verify", Self>("identity.verify", function (ctx) {
  const { token } = ctx.params;
  return isApiKey(token) ? ofApiKey(this, token) : ofAccessToken(this, token);
});
