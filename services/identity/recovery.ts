import type { Store } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { passkeys, recoveries, type TotpDoc, totps } from "./model.ts";
import { makeRecoveryCodes, recoveryHash } from "./recovery-codes.ts";

/** Whether the account has a passkey. */
export const hasPasskey = async (store: Store, userId: string): Promise<boolean> =>
  (await store.global(passkeys).count({ userId }, { limit: 1 })) > 0;

/**
 * Uses up a recovery code, whether it came with the authenticator app or with a passkey. Returns false for an unknown
 * one. Of two uses at the same moment, one succeeds.
 * @throws {AppError} invalid_code when another request used it
 */
export async function takeRecoveryCode(
  { store, hashKey }: WithStore & WithHashKey,
  userId: string,
  totp: TotpDoc | null,
  code: string,
): Promise<boolean> {
  const hash = recoveryHash(hashKey, code);
  if (totp?.recovery.includes(hash)) {
    const recovery = totp.recovery.filter(one => one !== hash);
    const change = { $set: { recovery, failures: 0 }, $unset: { lockedUntil: true as const }, $inc: { version: 1 } };
    if (await store.global(totps).updateOne({ id: userId, version: totp.version }, change)) return true;
    throw new AppError("invalid_code");
  }
  const kept = await store.global(recoveries).get({ id: userId });
  if (!kept?.hashes.includes(hash)) return false;
  const hashes = kept.hashes.filter(one => one !== hash);
  const change = { $set: { hashes }, $inc: { version: 1 } };
  if (await store.global(recoveries).updateOne({ id: userId, version: kept.version }, change)) return true;
  throw new AppError("invalid_code");
}

/** How many recovery codes are left. */
export async function recoveryLeft(store: Store, userId: string, totp: TotpDoc | null): Promise<number> {
  if (totp) return totp.recovery.length;
  return (await store.global(recoveries).get({ id: userId }))?.hashes.length ?? 0;
}

/** Keeps the hashes of recovery codes for an account without an authenticator app, in place of others. */
export async function keepRecovery(store: Store, userId: string, hashes: string[]): Promise<void> {
  const all = store.global(recoveries);
  await store.write([all.ops.remove({ id: userId }), all.ops.insert({ id: userId, hashes, version: 0 })]);
}

/** New recovery codes for an account without an authenticator app. */
export async function newRecovery({ store, hashKey }: WithStore & WithHashKey, userId: string): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes(hashKey);
  await keepRecovery(store, userId, hashes);
  return codes;
}
