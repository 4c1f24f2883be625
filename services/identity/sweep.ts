import type { Service } from "moleculer";
import { call } from "../../contracts/call.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { sweepEvents } from "./account-events.ts";
import { endKeys } from "./api-keys.ts";
import { sweepUsers } from "./remove-user.ts";
import { type ApiKeyDoc, apiKeys, emailChanges, passwordResets, sessions, spentTokens } from "./model.ts";

/** How long lists show a key after its expiry. */
const EXPIRED_KEYS_MS = 30 * 24 * 3_600_000;
const KEYS_PER_SWEEP = 200;

type Self = Service & WithStore & { sweptKeys?: string | null };

/**
 * Ends keys whose creator has left, in case the call that ends them was lost. Each sweep checks some keys, so all are
 * checked in turn.
 */
async function endOrphans(self: Self): Promise<void> {
  const all = self.store.acrossTenants(apiKeys);
  const { items, next } = await all.find({}, { limit: KEYS_PER_SWEEP, after: self.sweptKeys ?? null });
  const isOrphan = async ({ workspaceId, createdBy, memberId }: ApiKeyDoc) =>
    (await call(self.broker, "workspaces.roleOf", { workspaceId, userId: createdBy })).memberId !== memberId;
  for (const key of items) if (await isOrphan(key)) await endKeys(self.broker, all, { id: key.id });
  self.sweptKeys = next;
}

/** Removes ended sessions and links at once, expired keys after a month, and keys without their creator. */
export async function sweepIdentity(this: Self, now: Date): Promise<void> {
  await removeAll(this.store.global(sessions), { expiresAt: { $lte: now } });
  await removeAll(this.store.global(emailChanges), { expiresAt: { $lte: now } });
  await removeAll(this.store.global(passwordResets), { expiresAt: { $lte: now } });
  await removeAll(this.store.global(spentTokens), { expiresAt: { $lte: now } });
  await sweepEvents(this, now);
  const forgotten = new Date(now.getTime() - EXPIRED_KEYS_MS);
  await removeAll(this.store.acrossTenants(apiKeys), { expiresAt: { $lte: forgotten } });
  await endOrphans(this);
  await sweepUsers(this, now);
}
