import type { ServiceBroker } from "moleculer";
import type { Collection, Filter } from "../../adapters/store/port.ts";
import { apiKey } from "../../contracts/entities/api-key.ts";
import { callerOf, handle, hint, membershipOf, roleOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { ensureRoom } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { presenter } from "../../service-kit/present.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { apiKeyHash, makeApiKey } from "./api-key-token.ts";
import { type ApiKeyDoc, apiKeys } from "./model.ts";

/** The most API keys of one workspace. */
const MAX_KEYS = 1_000;
const BATCH = 500;
/** A workspace has fewer keys. This is only a bound for the loop. */
const MAX_BATCHES = 200;

export const presentApiKey = presenter(apiKey, apiKeys, doc => ({
  scopes: doc.scopes ?? [],
  addresses: doc.addresses ?? [],
  rotatedUntil: doc.formerUntil && doc.formerUntil > new Date() ? doc.formerUntil.toISOString() : null,
}));

/**
 * Stores a key. If an interrupted try has already stored one, its caller never received it, so this key replaces it.
 */
async function insertKey(keys: Collection<ApiKeyDoc>, doc: ApiKeyDoc): Promise<ApiKeyDoc> {
  const { id, createdBy, hash } = doc;
  const replaced = await insertOnce(
    () => keys.insert(doc),
    () => keys.updateOne({ id, createdBy }, { $set: { hash } }),
  );
  return replaced ?? doc;
}

export const create = handle<"identity.apiKeys.create", WithStore & WithHashKey>(
  "identity.apiKeys.create",
  async function (ctx) {
    const { workspaceId, name, role, expiresAt, scopes, addresses } = ctx.params;
    if (!includesRole(roleOf(ctx), role)) {
      throw new AppError("role_too_low", {
        detail: `This requires the role \`${role}\`; your role is \`${roleOf(ctx)}\`.`,
      });
    }
    const now = new Date();
    if (expiresAt && Date.parse(expiresAt) <= now.getTime()) {
      throw new AppError("validation_failed", {
        errors: [{ path: "/expiresAt", message: "Expected a time in the future" }],
      });
    }
    const keys = this.store.tenant(apiKeys, workspaceId);
    await ensureRoom(keys, {}, MAX_KEYS, "API keys in a workspace");
    const key = makeApiKey();
    const doc = await insertKey(keys, {
      id: newId(ctx),
      workspaceId,
      name,
      role,
      hash: apiKeyHash(this.hashKey, key),
      createdBy: callerOf(ctx).userId,
      memberId: membershipOf(ctx),
      createdAt: now,
      expiresAt: expiresAt ? new Date(expiresAt) : null,
      ...(scopes.length > 0 && { scopes: [...new Set(scopes)] }),
      ...(addresses.length > 0 && { addresses: [...new Set(addresses)] }),
    });
    return { ...presentApiKey(doc), key };
  },
);

export const list = handle<"identity.apiKeys.list", WithStore>("identity.apiKeys.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const keys = this.store.tenant(apiKeys, workspaceId);
  const { items, next } = await keys.find({}, { sort: { id: -1 }, limit, after });
  return { items: items.map(presentApiKey), next };
});

export const remove = handle<"identity.apiKeys.remove", WithStore>("identity.apiKeys.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  if ((await endKeys(ctx.broker, this.store.tenant(apiKeys, workspaceId), { id })) === 0) throw notFound("API key");
  return null;
});

export const purge = handle<"identity.apiKeys.purge", WithStore>("identity.apiKeys.purge", async function (ctx) {
  const { workspaceId, userId } = ctx.params;
  const keys = this.store.tenant(apiKeys, workspaceId);
  await endKeys(ctx.broker, keys, userId === undefined ? {} : { createdBy: userId });
  return null;
});

/** Removes every matching key and makes all nodes close what these keys opened. Returns the number of keys. */
export async function endKeys(
  broker: ServiceBroker,
  keys: Collection<ApiKeyDoc>,
  filter: Filter<ApiKeyDoc>,
): Promise<number> {
  let ended = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { items, next } = await keys.find(filter, { limit: BATCH });
    const ids = items.map(key => key.id);
    if (ids.length > 0) ended += await keys.remove({ id: { $in: ids } });
    for (const credentialId of ids) hint(broker, "all", "credential.ended", { credentialId });
    if (next === null) break;
  }
  return ended;
}
