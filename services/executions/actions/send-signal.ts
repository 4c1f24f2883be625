import { isDeepStrictEqual } from "node:util";
import { ensureLimit } from "../../../service-kit/limit.ts";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import { handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { newId } from "../../../service-kit/new-id.ts";
import { type SignalDoc, Signals } from "../store/signal-model.ts";
import { type SignalMatching, offerSignal } from "../store/match-signals.ts";
import { placeOf } from "../store/waits.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { refuseLarge } from "./check-input.ts";
import { idOf, isDelivered, openAddress } from "./resume-link.ts";

/** A delivered signal is remembered for this long, so that a repeat has no effect. */
const REMEMBERED_MS = 86_400_000;
/** A call of a step's address is kept until the run ends, or for this long. */
const KEPT_LINK_MS = 365 * 86_400_000;

const matchingOf = (service: ExecutionsService): SignalMatching => ({
  ...service.engine.stepParts.matching,
  announce: id => service.followUps.announce(id),
});

/** Stores a signal. If a signal with its id exists, returns that one instead. */
async function store(service: ExecutionsService, signal: SignalDoc): Promise<{ kept: SignalDoc; isNew: boolean }> {
  const signals = service.store.tenant(Signals, signal.workspaceId);
  try {
    return { kept: await signals.insert(signal), isNew: true };
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    return { kept: (await signals.get({ id: signal.id })) ?? signal, isNew: false };
  }
}

/** Gives a stored signal to the steps that wait for it, and records their number. */
async function deliverNow(service: ExecutionsService, signal: SignalDoc, isNamed = true) {
  const { id, workspaceId } = signal;
  const signals = service.store.tenant(Signals, workspaceId);
  const { delivered, refused, taken, more } = await offerSignal(matchingOf(service), signal);
  if (more) throw new AppError("unavailable", { detail: "Many runs wait for the signal. Send it again with its id." });
  if (taken) return { delivered: Math.max(delivered, 1), refused: 0 };
  if (delivered === 0) return { delivered, refused };
  const expiresAt = new Date(Date.now() + REMEMBERED_MS);
  // Without an id from its sender, a signal cannot be recognised again, so it need not be remembered.
  if (!isNamed) await signals.remove({ id });
  else await signals.updateOne({ id }, { $set: { delivered, expiresAt }, $unset: { takenBy: 1, offered: 1 } });
  return { delivered, refused };
}

export const signal = handle<"executions.signal", ExecutionsService>("executions.signal", async function (ctx) {
  const { workspaceId, name, key, data, id: given, ttlMs } = ctx.params;
  refuseLarge(data);
  const signals = this.store.tenant(Signals, workspaceId);
  await ensureLimit("signals", workspaceId, signals, {});
  const now = new Date();
  const { kept, isNew } = await store(this, {
    id: given === undefined ? newId(ctx) : idOf(workspaceId, "signal", given),
    workspaceId,
    event: name,
    ...(key !== undefined && { key }),
    data,
    receivedAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
  });
  if (!isNew && isDelivered(kept)) return { delivered: kept.delivered ?? 1, kept: false };
  const { delivered, refused } = await deliverNow(this, kept, given !== undefined);
  if (delivered === 0 && refused > 0) {
    await signals.remove({ id: kept.id, delivered: null, takenBy: null });
    throw new AppError("validation_failed", {
      errors: [{ path: "/data", message: "Does not match the schema of any step that waits for the signal." }],
    });
  }
  return { delivered, kept: delivered === 0 };
});

const invalid = () => new AppError("link_invalid");

/**
 * Handles a call of the address of a step. The call ends the wait of this step only, and only once. It may come before
 * the step waits.
 */
export const resume = handle<"executions.resume", ExecutionsService>("executions.resume", async function (ctx) {
  const { token, data } = ctx.params;
  const found = await openAddress(this, token);
  if (found.state !== "open") throw invalid();
  refuseLarge(data);
  const { doc, at, signalId } = found;
  const { workspaceId, id: executionId } = doc;
  const now = new Date();
  const { kept, isNew } = await store(this, {
    id: signalId,
    workspaceId,
    place: placeOf(executionId, at),
    data,
    receivedAt: now,
    expiresAt: new Date(now.getTime() + KEPT_LINK_MS),
  });
  // A repeat of the stored call gets the same response. Different data would be lost, because the address works once.
  if (!isNew && (isDelivered(kept) || !isDeepStrictEqual(kept.data, data))) throw invalid();
  const { delivered, refused } = await deliverNow(this, kept);
  if (delivered === 0 && refused > 0) {
    await this.store.tenant(Signals, workspaceId).remove({ id: kept.id, delivered: null, takenBy: null });
    throw new AppError("validation_failed", {
      errors: [{ path: "", message: "Does not match the schema of the step." }],
    });
  }
  return { resumed: delivered > 0 };
});
