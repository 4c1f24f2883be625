import type { Service } from "moleculer";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import { AppError } from "../../contracts/errors.ts";
import { codeWaitMs } from "../../core/second-factor.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type TotpDoc, totps, type UserDoc } from "./model.ts";
import { hasPasskey, takeRecoveryCode } from "./use-recovery-codes.ts";
import { periodOf } from "./totp.ts";

export interface WithTotp {
  totpSealer: Sealer;
}
export type FactorSelf = Service & WithStore & WithHashKey & WithTotp;

/** What proved a sign-in in addition to the password. */
export type ProvedBy = "totp" | "recovery";

const waitFor = (until: Date, now: Date) =>
  new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)),
  });

/**
 * Checks a code of the app. The code of a period is accepted once. Each try is counted before the code is checked. Of
 * concurrent tries, one is counted and the others are refused, so parallel requests do not speed up guessing.
 * @throws {AppError} rate_limited after too many wrong codes, invalid_code
 */
async function checkTotp({ store, totpSealer }: FactorSelf, totp: TotpDoc, code: string): Promise<void> {
  const now = new Date();
  const { id, version, lockedUntil } = totp;
  if (lockedUntil && lockedUntil > now) throw waitFor(lockedUntil, now);
  const all = store.global(totps);
  const failures = totp.failures + 1;
  const wait = codeWaitMs(failures);
  const counted = await all.updateOne(
    { id, version },
    { $set: { failures, lockedUntil: wait > 0 ? new Date(now.getTime() + wait) : null }, $inc: { version: 1 } },
  );
  if (!counted) throw waitFor(now, now);
  const period = periodOf(totpSealer.open(totp.secret, id), code, now.getTime());
  if (period === null || period <= (totp.lastPeriod ?? 0)) throw new AppError("invalid_code");
  const right = { $set: { lastPeriod: period, failures: 0, lockedUntil: null }, $inc: { version: 1 } };
  if (!(await all.updateOne({ id, version: counted.version }, right))) throw new AppError("invalid_code");
}

/** The authenticator app that a sign-in by password requires; null if the account has none. */
export async function activeTotp({ store }: WithStore, userId: string): Promise<TotpDoc | null> {
  const totp = await store.global(totps).get({ id: userId });
  return totp?.confirmedAt ? totp : null;
}

/**
 * Checks the code of an account with a second factor. Call it after the password.
 * @returns what proved the sign-in; undefined if the account has no second factor
 * @throws {AppError} second_factor_required, invalid_code, rate_limited
 */
export async function proveFactor(
  self: FactorSelf,
  user: Pick<UserDoc, "id">,
  code: string | undefined,
): Promise<ProvedBy | undefined> {
  const totp = await activeTotp(self, user.id);
  if (!totp && !(await hasPasskey(self.store, user.id))) return undefined;
  if (code === undefined) throw new AppError("second_factor_required");
  if (await takeRecoveryCode(self, user.id, totp, code)) return "recovery";
  // A passkey has no codes: the person signs in with the passkey only.
  if (!totp) throw new AppError("invalid_code");
  await checkTotp(self, totp, code);
  return "totp";
}
