import type { Store, WriteOp } from "../../../adapters/store/port.ts";
import { AppError } from "../../../contracts/errors.ts";
import { keyOf, type Address } from "../../../core/run/frame.ts";
import { isFinal } from "../../../core/run/state.ts";
import { headOrder } from "./queue-order.ts";
import { type ExecutionDoc, Executions, markFollowUp, type Signal } from "./model.ts";

const MAX_TRIES = 100;
/** The most signals that wait in an inbox. The worker that holds the run takes them within its next step. */
const MAX_SIGNALS = 1_000;
const MAX_CHARS = 4_000_000;

/** Whether the inbox already contains an answer, a signal or an expiry that ends this wait. */
export function isSettled({ inbox = [] }: Pick<ExecutionDoc, "inbox">, at: Address, attempt: number): boolean {
  const settles = (signal: Signal) =>
    signal.kind !== "child" && keyOf(signal) === keyOf(at) && signal.attempt === attempt;
  return inbox.some(settles);
}

/** The writes by which a worker removes the signals up to `taken` from the inbox, because the journal contains them. */
export function forgetSignals(store: Store, doc: ExecutionDoc, workerId: string, taken: number): WriteOp[] {
  const { ops } = store.tenant(Executions, doc.workspaceId);
  const mine = { id: doc.id, workerId };
  return [
    ops.updateOne(mine, { $set: { journaled: taken } }),
    // If more signals have arrived, the inbox stays. The sender of the next signal removes the journaled ones.
    ops.updateOne({ ...mine, inboxed: taken || null }, { $unset: { inbox: 1 } }),
  ];
}

type SignalFor = (doc: ExecutionDoc) => Signal | null | Promise<Signal | null>;

/** The last delivery from this node, by execution. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Puts a signal into an execution's inbox by compare-and-set, and queues the execution when no worker holds it.
 * `signalFor` makes the signal from the current document. It throws or returns null when there is no signal to deliver.
 * Returns the updated document, or null when there was no signal or the execution has ended or is missing.
 * @throws {AppError} conflict when too many signals wait, or the execution changes too often
 * @throws what `signalFor` throws
 */
export async function deliver(
  store: Store,
  address: { workspaceId: string; id: string },
  signalFor: SignalFor,
): Promise<ExecutionDoc | null> {
  // Deliveries from this node run one after another, because concurrent ones would mostly conflict.
  const before = lastOf.get(address.id) ?? Promise.resolve();
  const mine = before.then(() => deliverNow(store, address, signalFor));
  const over = mine.catch(() => undefined).finally(() => lastOf.get(address.id) === over && lastOf.delete(address.id));
  lastOf.set(address.id, over);
  return mine;
}

async function deliverNow(
  store: Store,
  { workspaceId, id }: { workspaceId: string; id: string },
  signalFor: SignalFor,
): Promise<ExecutionDoc | null> {
  const docs = store.tenant(Executions, workspaceId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const doc = await docs.get({ id });
    if (!doc || isFinal(doc.status)) return null;
    const signal = await signalFor(doc);
    if (!signal) return null;
    const { inboxed = 0, journaled = 0, workerId = null, queued = null, wakeAt = null, status } = doc;
    const inbox = (doc.inbox ?? []).filter(({ seq }) => seq > journaled);
    if (inbox.length >= MAX_SIGNALS || JSON.stringify(inbox).length > MAX_CHARS)
      throw new AppError("conflict", { detail: "Too many answers to this run are waiting. Try again." });
    const isParked = workerId === null && queued === null;
    const order = isParked ? ((await headOrder(store)) ?? 0) : 0;
    const seq = inboxed + 1;
    const answered = isParked && signal.kind === "answer";
    const updated = await docs.updateOne(
      { id, inboxed: inboxed || null, workerId, queued, status, wakeAt },
      {
        $set: {
          inbox: [...inbox, { ...signal, seq }],
          inboxed: seq,
          ...(isParked && { queued: true, order }),
          ...(answered && { status: "pending" }),
          // The parent shows the question, so it must be notified to stop showing it.
          ...(answered && doc.parentId !== undefined && markFollowUp()),
        },
        $unset: { ...(isParked && { wakeAt: 1 }), ...(answered && { suspension: 1 }) },
      },
    );
    if (updated) return updated;
  }
  throw new AppError("conflict", { detail: "The run changes too often to accept the answer now. Try again." });
}
