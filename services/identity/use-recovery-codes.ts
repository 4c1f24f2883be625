import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { passkeys, recoveries, type TotpDoc, totps } from "./model.ts";
import { makeRecoveryCodes, recoveryHash } from "./make-recovery-codes.ts";

/** Whether the account has a passkey. */
export const hasPasskey = async (store: Store, userId: string): Promise<boolean> =>
  (await store.global(passkeys).count({ userId }, { limit: 1 })) > 0;

/**
 * Marks a recovery code as used: one of the authenticator app's, or, without an app, one of the passkeys'. Returns
 * false for an unknown code. Of two concurrent uses, only one succeeds.
 * @throws {AppError} invalid_code when another request used it
 */
export async function takeRecoveryCode(
  { store, hashKey }: WithStore & WithHashKey,
  userId: string,
  totp: TotpDoc | null,
  code: string,
): Promise<boolean> {
  const hash = recoveryHash(hashKey, code);
  const kept = totp ? null : await store.global(recoveries).get({ id: userId });
  const hashes = totp?.recovery ?? kept?.hashes ?? [];
  if (!hashes.includes(hash)) return false;
  const left = hashes.filter(one => one !== hash);
  const used = totp
    ? await store
        .global(totps)
        .updateOne(
          { id: userId, version: totp.version },
          { $set: { recovery: left, failures: 0 }, $unset: { lockedUntil: true }, $inc: { version: 1 } },
        )
    : await store
        .global(recoveries)
        .updateOne({ id: userId, version: kept?.version ?? 0 }, { $set: { hashes: left }, $inc: { version: 1 } });
  if (!used) throw new AppError("invalid_code");
  return true;
}

/** The number of unused recovery codes. */
export async function recoveryLeft(store: Store, userId: string, totp: TotpDoc | null): Promise<number> {
  if (totp) return totp.recovery.length;
  return (await store.global(recoveries).get({ id: userId }))?.hashes.length ?? 0;
}

/**
 * Stores the hashes of recovery codes for an account without an authenticator app, replacing the previous ones. It is
 * one write, so an interruption leaves either set complete.
 */
export async function keepRecovery(store: Store, userId: string, hashes: string[]): Promise<void> {
  const all = store.global(recoveries);
  const replace = () => all.updateOne({ id: userId }, { $set: { hashes }, $inc: { version: 1 } });
  if (await replace()) return;
  await all.insert({ id: userId, hashes, version: 0 }).catch(async (error: unknown) => {
    if (!isUniqueConflict(error) || !(await replace())) throw error;
  });
}

/**
 * Creates recovery codes that replace the previous ones.
 * @throws {AppError} conflict when the authenticator app has changed since `totp` was read
 */
export async function newRecovery(
  { store, hashKey }: WithStore & WithHashKey,
  userId: string,
  totp: TotpDoc | null,
): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes(hashKey);
  if (!totp) {
    await keepRecovery(store, userId, hashes);
    return codes;
  }
  const change = { $set: { recovery: hashes }, $inc: { version: 1 } };
  if (!(await store.global(totps).updateOne({ id: userId, version: totp.version }, change)))
    throw new AppError("conflict");
  return codes;
}
