import { handle, roleOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { apiKeyHash, makeApiKey } from "./api-key-token.ts";
import { presentApiKey } from "./api-keys.ts";
import { apiKeys } from "./model.ts";

/**
 * Replaces the value of a key. The previous value stays valid for a while, so that programs can be updated one after
 * another. A value from an earlier rotation ends at once. Of two concurrent rotations, only one succeeds.
 */
export const rotate = handle<"identity.apiKeys.rotate", WithStore & WithHashKey>(
  "identity.apiKeys.rotate",
  async function (ctx) {
    const { workspaceId, id, overlapSeconds } = ctx.params;
    const all = this.store.tenant(apiKeys, workspaceId);
    const current = await all.get({ id });
    if (!current) throw notFound("API key");
    if (!includesRole(roleOf(ctx), current.role)) throw new AppError("role_too_low");
    const key = makeApiKey();
    const until = new Date(Date.now() + overlapSeconds * 1_000);
    const rotated = await all.updateOne(
      { id, hash: current.hash },
      { $set: { hash: apiKeyHash(this.hashKey, key), formerHash: current.hash, formerUntil: until } },
    );
    if (!rotated) throw new AppError("conflict");
    return { ...presentApiKey(rotated), key };
  },
);
