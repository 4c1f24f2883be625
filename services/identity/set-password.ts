import type { ServiceBroker } from "moleculer";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { passwordResets, sessions, type UserDoc, users } from "./model.ts";
import { endStreams } from "./refresh-session.ts";
import { MAX_SESSIONS } from "./begin-session.ts";

/**
 * The writes that set a password. Sessions that began with the previous password end, except `keep`, and so do links
 * that reset it. `condition` must still be true of the user. The sessions are removed before the password changes,
 * because a caller who is interrupted after the change does not repeat the call. The second removal ends sessions that
 * began in between.
 */
export function passwordWrites(
  store: Store,
  condition: Pick<UserDoc, "id"> & Partial<Pick<UserDoc, "passwordHash">>,
  changes: Partial<UserDoc>,
  keep?: string,
): WriteOp[] {
  const userId = condition.id;
  const isOwn = changes.passwordHash !== undefined && !changes.noPassword;
  const change = {
    $set: { ...changes, updatedAt: new Date() },
    ...(isOwn && { $unset: { noPassword: true as const } }),
  };
  const endSessions = store.global(sessions).ops.remove({ userId, ...(keep !== undefined && { id: { $ne: keep } }) });
  return [
    endSessions,
    store.global(users).ops.updateOne(condition, change, { required: true }),
    endSessions,
    store.global(passwordResets).ops.remove({ userId }),
  ];
}

/** Runs writes that end the sessions of a user, except `keep`, and closes what these sessions opened. */
export async function writeAndEnd(
  store: Store,
  broker: ServiceBroker | null,
  userId: string,
  writes: readonly WriteOp[],
  keep?: string,
): Promise<void> {
  const { items } = await store.global(sessions).find({ userId }, { limit: MAX_SESSIONS });
  await store.write(writes);
  if (!broker) return;
  for (const { id } of items) if (id !== keep) endStreams(broker, id);
}
