import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import type { KeptAnswer, Reservation } from "../../contracts/actions/idempotency.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { backoffMs } from "../../core/backoff.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { idempotencyKeys, type KeyDoc } from "./model.ts";
import { hashOf, type IdempotencyService } from "./service.ts";

const KEPT_MS = 24 * 3_600_000;
/** A holder that has not renewed its lease for this long counts as dead. */
const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
/** How long a second call waits for the response of the first. */
const WAIT_MS = 2_000;
const LOOK = { firstMs: 10, mostMs: 200 };
/**
 * Longer than a request may take to arrive. A response that expires sooner might be gone when its caller asks for it.
 */
const ARRIVES_MS = 120_000;

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** Reserves a key that is new or has expired. Returns undefined when another call holds the key. */
async function begin(service: IdempotencyService, doc: KeyDoc, old: KeyDoc | null): Promise<KeyDoc | undefined> {
  const keys = service.store.global(idempotencyKeys);
  const { id, ...fields } = doc;
  const taken = { id, holder: old?.holder ?? "" };
  if (old) return (await keys.updateOne(taken, { $set: fields, $unset: { answer: true } })) ?? undefined;
  try {
    return await keys.insert(doc);
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    return undefined;
  }
}

/** Makes one attempt. Returns a reservation, or the time until which another call certainly holds the key. */
async function attempt(service: IdempotencyService, wanted: KeyDoc): Promise<Reservation | Date> {
  const keys = service.store.global(idempotencyKeys);
  const { id, holder } = wanted;
  const now = new Date();
  const old = await keys.get({ id });
  const lease = { leaseUntil: leaseFrom(now) };
  if (!old || old.expiresAt <= now) {
    const fresh = { ...wanted, ...lease, expiresAt: new Date(now.getTime() + KEPT_MS) };
    const begun = await begin(service, fresh, old);
    return begun ? { answer: null, holder, renewMs: RENEW_MS, newId: begun.newId, again: false } : now;
  }
  if (old.fingerprint !== wanted.fingerprint) throw new AppError("idempotency_key_reused");
  const reservation = { holder, renewMs: RENEW_MS, newId: old.newId, again: true };
  if (old.answer) {
    return { ...reservation, answer: JSON.parse(service.sealer.open(old.answer, id)) as KeptAnswer };
  }
  if (old.leaseUntil > now) return old.leaseUntil;
  const taken = await keys.updateOne({ id, holder: old.holder, answer: null }, { $set: { holder, ...lease } });
  return taken ? { ...reservation, answer: null } : now;
}

export const reserve = handle<"idempotency.reserve", IdempotencyService>("idempotency.reserve", async function (ctx) {
  const { scope, fingerprint, workspaceId } = ctx.params;
  const wanted: KeyDoc = {
    id: hashOf(this, scope),
    workspaceId,
    fingerprint: hashOf(this, fingerprint),
    holder: uuid(),
    newId: uuid(),
    leaseUntil: new Date(),
    expiresAt: new Date(),
  };
  const deadline = performance.now() + WAIT_MS;
  for (let looks = 1; ; looks++) {
    const found = await attempt(this, wanted);
    if (!(found instanceof Date)) return found;
    if (performance.now() >= deadline) {
      const leftMs = found.getTime() - Date.now();
      throw new AppError("idempotency_in_progress", { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) });
    }
    await sleep(backoffMs(LOOK, looks));
  }
});

export const answered = handle<"idempotency.answered", IdempotencyService>(
  "idempotency.answered",
  async function (ctx) {
    const key = await this.store.global(idempotencyKeys).get({ id: hashOf(this, ctx.params.scope) });
    const lasts = (key?.expiresAt.getTime() ?? 0) - Date.now() > ARRIVES_MS;
    return { answered: lasts && Boolean(key?.answer) };
  },
);
