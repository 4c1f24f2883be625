import { matches, type Change, type Doc, type Filter, type Signal } from "./documents.ts";
import type { Append } from "./rules.ts";

/** One write that has not reached the store yet. */
export type Write = { text: string } & (
  | { kind: "append"; execution: number; append: Append }
  | { kind: "update"; execution: number; name: string; filter: Filter; change: Change }
  | { kind: "claim"; execution: number; worker: number }
  | { kind: "giveBack"; worker: number }
);

/** A part that a variant of the protocol leaves out. */
export interface Variant {
  withoutFence?: boolean;
  withoutWorkerFilter?: boolean;
  withoutSweep?: boolean;
  withoutOrphanReturn?: boolean;
  /** A run is parked although there are signals that its worker has not seen. */
  withoutInboxCounter?: boolean;
  /** A worker that could not park waits, although no hint comes. */
  withoutSecondParking?: boolean;
  /** A worker takes signals without checking whether another worker has appended. */
  withoutSecondLook?: boolean;
  /** A question expires without an entry in the inbox. */
  withoutLastSignal?: boolean;
  /** An interrupted cancel leaves no mark. */
  withoutCancelIntent?: boolean;
}

// The product's writes, with the decisive fields. A test compares them with the writes of the product.

export const claim = (workerId: number): { filter: Filter; change: Change } => ({
  filter: { queued: true },
  change: { $set: { workerId, status: "running" }, $unset: { queued: 1, wakeAt: 1 } },
});

export const giveBack = (workerId: number): { filter: Filter; change: Change } => ({
  filter: { workerId },
  change: { $set: { queued: true, lost: true }, $unset: { workerId: 1 } },
});

export const writeOf = {
  claim: (execution: number, worker: number): Write => ({
    kind: "claim",
    execution,
    worker,
    text: `c${execution}${worker}`,
  }),
  giveBack: (worker: number): Write => ({ kind: "giveBack", worker, text: `g${worker}` }),
};

export const append = (execution: number, made: Append): Write => ({
  kind: "append",
  execution,
  append: made,
  text: `a${execution}.${made.number}`,
});

const update = (execution: number, name: string, filter: Filter, change: Change): Write => ({
  kind: "update",
  execution,
  name,
  filter,
  change,
  text: `${name}${execution}${JSON.stringify(filter)}${JSON.stringify(change.$set)}`,
});

export const returnOrphan = (execution: number, workerId: number) =>
  update(execution, "return orphan", { workerId }, { $set: { queued: true }, $unset: { workerId: 1 } });

export const wake = (execution: number) =>
  update(execution, "wake", { wakeAt: { $exists: true } }, { $set: { queued: true }, $unset: { wakeAt: 1 } });

const GOING_ON = { $in: ["pending", "running", "suspended"] };

const mine = (workerId: number, { withoutWorkerFilter }: Variant): Filter => (withoutWorkerFilter ? {} : { workerId });

export const end = (execution: number, workerId: number, status: string, variant: Variant) =>
  update(execution, "end", mine(workerId, variant), { $set: { status }, $unset: { workerId: 1, inbox: 1 } });

/** Removes signals that are in the journal from the inbox. */
export const forget = (execution: number, workerId: number, inboxed: number) =>
  update(execution, "forget", { workerId, inboxed: inboxed || null }, { $unset: { inbox: 1 } });

/** Parks a run that only waits, unless there are signals that this worker has not seen. */
export const park = (
  execution: number,
  workerId: number,
  { suspended, timed, inboxed }: { suspended: boolean; timed: boolean; inboxed: number },
  variant: Variant,
) =>
  update(
    execution,
    "park",
    { ...mine(workerId, variant), ...(!variant.withoutInboxCounter && { inboxed: inboxed || null }) },
    {
      $set: { status: suspended ? "suspended" : "running", ...(timed && { wakeAt: true }) },
      $unset: { workerId: 1, inbox: 1 },
    },
  );

export const repair = (execution: number, status: string) =>
  update(execution, "repair", {}, { $set: { status }, $unset: { workerId: 1, queued: 1, wakeAt: 1, inbox: 1 } });

export const cancel = (execution: number) =>
  update(
    execution,
    "cancel",
    {},
    {
      $set: { status: "cancelled" },
      $unset: { cancelling: 1, undoes: 1, workerId: 1, queued: 1, wakeAt: 1, inbox: 1 },
    },
  );

/** Marks a cancel, so that the node that finds the mark can complete it after an interruption. */
export const intend = (execution: number) =>
  update(execution, "intend", { status: GOING_ON }, { $set: { cancelling: true } });

/** Marks a cancel that lets the run compensate. The node that finds the mark completes an interrupted one. */
export const intendUndo = (execution: number) =>
  update(execution, "intend undo", { undoes: { $ne: "begun" }, status: GOING_ON }, { $set: { undoes: "intended" } });

/** Any worker may perform the compensations. */
export const queueUndo = (execution: number) =>
  update(
    execution,
    "queue undo",
    { undoes: "intended", status: GOING_ON },
    {
      $set: { status: "running", undoes: "begun", queued: true, lost: true },
      $unset: { workerId: 1, wakeAt: 1, inbox: 1 },
    },
  );

/** The run failed at the moment of the cancel, and already compensates. */
export const forgetUndo = (execution: number) =>
  update(execution, "forget undo", { undoes: "intended", status: GOING_ON }, { $unset: { undoes: 1 } });

/** A worker that finds the entry of a cancel performs the compensations itself. */
export const takeUndo = (execution: number, workerId: number) =>
  update(execution, "take undo", { workerId, undoes: { $ne: "begun" } }, { $set: { undoes: "begun" } });

/** Puts a signal into the inbox, and queues the execution if no worker holds it. */
export const deliver = (execution: number, doc: Doc, signal: Omit<Signal, "seq">): Write => {
  const { inbox = [], inboxed = 0, status, workerId = null, queued = null, wakeAt = null } = doc;
  const isParked = matches(doc, { workerId: null, queued: null });
  const seq = inboxed + 1;
  return update(
    execution,
    "deliver",
    { inboxed: inboxed || null, workerId, queued, status, wakeAt },
    {
      $set: {
        inbox: [...inbox, { ...signal, seq }],
        inboxed: seq,
        ...(isParked && { queued: true }),
        ...(isParked && signal.answer !== null && { status: "pending" }),
      },
      $unset: { ...(isParked && { wakeAt: 1 }) },
    },
  );
};

export const nameOf = (write: Write): string => (write.kind === "update" ? write.name : write.kind);
