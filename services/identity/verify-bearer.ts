import type { Service } from "moleculer";
import { handle } from "../../contracts/call.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { AppError } from "../../contracts/errors.ts";
import { isInRanges } from "./address-ranges.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Claims } from "./access-token.ts";
import { apiKeyHash, isApiKey } from "./api-key-token.ts";
import type { KeyUses } from "./key-uses.ts";
import { type ApiKeyDoc, apiKeys, sessions, users } from "./model.ts";

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

/** The key with this value as its current value, or as the value before its last rotation. */
async function keyOf({ store, hashKey }: Self, token: string): Promise<Readonly<ApiKeyDoc> | null> {
  const hash = apiKeyHash(hashKey, token);
  const all = store.acrossTenants(apiKeys);
  const key = await all.shared({ hash });
  if (key) return key;
  const rotated = await all.shared({ formerHash: hash });
  return rotated?.formerUntil && rotated.formerUntil.getTime() > Date.now() ? rotated : null;
}

/**
 * A key ends while its creator's account is disabled. The access check finds out whether the creator is still a member,
 * because it reads the role anyway.
 * @throws {AppError} address_not_allowed
 */
async function ofApiKey(self: Self, token: string, address: string | undefined): Promise<Identity | null> {
  const key = await keyOf(self, token);
  if (!key || (key.expiresAt && key.expiresAt.getTime() <= Date.now())) return null;
  const creator = await self.store.global(users).shared({ id: key.createdBy });
  if (creator?.disabledAt) return null;
  if (key.addresses && !isInRanges(address ?? "", key.addresses)) throw new AppError("address_not_allowed");
  self.keyUses.note(key);
  const { id: keyId, name: keyName, createdBy: userId, workspaceId, role, memberId, scopes } = key;
  return { kind: "apiKey", userId, keyId, keyName, workspaceId, role, memberId, ...(scopes && { scopes }) };
}

/** Every request calls this, so it costs one read, usually from memory. */
export const verify = handle<"identity.verify", Self>("identity.verify", function (ctx) {
  const { token, address } = ctx.params;
  return isApiKey(token) ? ofApiKey(this, token, address) : ofAccessToken(this, token);
});
