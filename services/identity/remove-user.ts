import type { Service, ServiceBroker } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { isNotMatched } from "../../adapters/store/errors.ts";
import { call, handle, userOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { ALIVE, markDeleted, sweepTombstones } from "../../service-kit/tombstone.ts";
import { endKeys } from "./api-keys.ts";
import {
  accountEvents,
  apiKeys,
  emailChanges,
  passkeys,
  passwordResets,
  providerLinks,
  recoveries,
  sessions,
  totps,
  type UserDoc,
  users,
} from "./model.ts";
import { reauthenticatedCaller } from "./reauthenticate.ts";
import { writeAndEnd } from "./set-password.ts";

const PURGE_TIMEOUT_MS = 30_000;

/**
 * Deletes an account for its readers in one write: its name and address are gone, the address is free, and its sessions
 * end. A sweep removes the other data.
 * @throws {AppError} not_found
 */
export async function markUserDeleted(store: Store, broker: ServiceBroker | null, id: string): Promise<void> {
  const now = new Date();
  const gone = { email: `~${id}`, name: null, passwordHash: "", disabledAt: now, updatedAt: now, ...markDeleted(now) };
  const change = { $set: gone, $unset: { preferences: true, first: true, mails: true } } as const;
  try {
    await writeAndEnd(store, broker, id, [
      store.global(users).ops.updateOne({ id, ...ALIVE }, change, { required: true }),
      store.global(sessions).ops.remove({ userId: id }),
      store.global(passwordResets).ops.remove({ userId: id }),
    ]);
  } catch (error) {
    throw isNotMatched(error) ? notFound("user") : error;
  }
}

/** The error when a deletion would leave workspaces without an owner. */
export const ownsWorkspaces = (names: readonly string[]): AppError =>
  new AppError("owns_workspaces", {
    detail: `First give these workspaces another owner, or delete them: ${names.join(", ")}.`,
  });

async function removeUser(self: Service & WithStore & WithSweep, userId: string): Promise<void> {
  const { names } = await call(self.broker, "workspaces.ownedAlone", { userId });
  if (names.length > 0) throw ownsWorkspaces(names);
  await markUserDeleted(self.store, self.broker, userId);
  self.sweeper.soon();
}

type Self = Service & WithStore & WithSweep;

export const removeMe = handle<"identity.removeMe", Self>("identity.removeMe", async function (ctx) {
  const { id } = await reauthenticatedCaller(this, userOf(ctx), ctx.params.password);
  await removeUser(this, id);
  return null;
});

export const operatorRemove = handle<"identity.operator.users.remove", Self>(
  "identity.operator.users.remove",
  async function (ctx) {
    const { userId } = ctx.params;
    if (userId === userOf(ctx).userId) throw new AppError("account_is_own");
    await removeUser(this, userId);
    return null;
  },
);

/** Removes the data of deleted accounts, here and in the other services. Each step can be repeated. */
export function sweepUsers({ store, broker, logger }: Service & WithStore, now: Date): Promise<void> {
  const purge = async ({ id: userId }: UserDoc) => {
    const options = { timeout: PURGE_TIMEOUT_MS };
    await removeAll(store.global(sessions), { userId });
    await endKeys(broker, store.acrossTenants(apiKeys), { createdBy: userId });
    await call(broker, "workspaces.forgetUser", { userId }, options);
    await call(broker, "notifications.forgetUser", { userId }, options);
    await removeAll(store.global(passwordResets), { userId });
    await removeAll(store.global(emailChanges), { userId });
    await removeAll(store.global(providerLinks), { userId });
    await removeAll(store.global(accountEvents), { userId });
    await removeAll(store.global(passkeys), { userId });
    await store.global(recoveries).remove({ id: userId });
    await store.global(totps).remove({ id: userId });
  };
  return sweepTombstones(store.global(users), now, purge, logger);
}
