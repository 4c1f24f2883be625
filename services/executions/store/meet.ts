import type { Filter, Store } from "../../../adapters/store/port.ts";
import { nodeAt } from "../../../core/run/frame.ts";
import { isFinal } from "../../../core/run/state.ts";
import { deliver } from "./deliver.ts";
import { ExecutionJournal } from "./journal.ts";
import { type SignalDoc, Signals, type WaitDoc, Waits } from "./meeting-model.ts";
import { isSettled } from "./settled.ts";

/** How signals and steps that wait for them meet. Either may come first. */
export interface Meeting {
  store: Store;
  /** Whether data fits the schema of a step. */
  fits(schema: unknown, data: unknown, workspaceId: string): Promise<boolean>;
  /** Tells workers that a signal is in the inbox of an execution. */
  announce(executionId: string): void;
}

/** `given`: the step gets the signal. `refused`: its schema does not fit. `over`: the step no longer waits. */
type Outcome = "given" | "refused" | "over";

/** The kept signals that a step looks at when it begins to wait. */
const MAX_LOOKED = 50;

/**
 * Gives a signal to a step that waits, once. The inbox of the execution decides whether the step still waits: of several
 * signals, and of a signal and the end of the step's time, the first one ends the wait.
 */
export async function give(meeting: Meeting, signal: SignalDoc, wait: WaitDoc): Promise<Outcome> {
  const { store } = meeting;
  const { workspaceId, executionId, at, attempt } = wait;
  let outcome = "over" as Outcome;
  const updated = await deliver(store, { workspaceId, id: executionId }, async doc => {
    outcome = "over";
    if ((doc.inbox ?? []).some(one => one.kind === "event" && one.signalId === signal.id && one.attempt === attempt)) {
      outcome = "given";
      return null;
    }
    const state = await new ExecutionJournal(store, workspaceId, executionId).fold();
    const node = nodeAt(state, at);
    if (isFinal(state.status) || node?.waitsFor !== "event" || node.attempt !== attempt) return null;
    if (isSettled(doc, at, attempt)) return null;
    const schema = node.awaits?.schema;
    if (schema !== undefined && !(await meeting.fits(schema, signal.data, workspaceId))) {
      outcome = "refused";
      return null;
    }
    return {
      ...{ kind: "event", ...at, attempt, signalId: signal.id, data: signal.data ?? null },
      receivedAt: signal.receivedAt.toISOString(),
      source: signal.place === undefined ? "signal" : "link",
    };
  });
  if (updated) {
    outcome = "given";
    meeting.announce(executionId);
  }
  if (outcome !== "refused") await store.tenant(Waits, workspaceId).remove({ id: wait.id });
  return outcome;
}

/** Whether a signal is for a step that waits. */
const waitsFor = ({ event, key, place }: SignalDoc): Filter<WaitDoc> =>
  place === undefined ? { event: event ?? null, key: key ?? null } : { place };

const PAGE = 100;

/**
 * Gives a stored signal to every step that waits for it. A step that begins to wait meanwhile finds the signal itself.
 * @throws {AppError} conflict when an execution changes too often, or too much waits in its inbox
 */
export async function offer(
  meeting: Meeting,
  signal: SignalDoc,
): Promise<{ delivered: number; refused: number; more: boolean }> {
  const waits = meeting.store.tenant(Waits, signal.workspaceId);
  const until = performance.now() + 8_000;
  let [delivered, refused] = [0, 0];
  for (let after: string | null = null; ;) {
    const page = await waits.find(waitsFor(signal), { limit: PAGE, after });
    for (const wait of page.items) {
      const outcome = await give(meeting, signal, wait);
      if (outcome === "given") delivered++;
      if (outcome === "refused") refused++;
    }
    after = page.next;
    if (!after) return { delivered, refused, more: false };
    if (performance.now() > until) return { delivered, refused, more: true };
  }
}

/**
 * Gives a step that has begun to wait a signal that came before. A claim on the signal sees to it that no other step gets
 * it too. A worker that dies after the claim leaves it to its successor, which looks again. Returns whether one was given.
 */
export async function meetKept(meeting: Meeting, wait: WaitDoc): Promise<boolean> {
  const signals = meeting.store.tenant(Signals, wait.workspaceId);
  const { event, key, place } = wait;
  const open = { delivered: null };
  const named = event === undefined ? [] : [{ event, key: key ?? null }];
  for (const filter of [{ place }, ...named]) {
    const { items } = await signals.find(
      { ...filter, ...open, expiresAt: { $gt: new Date() } },
      { sort: { receivedAt: 1 }, limit: MAX_LOOKED },
    );
    for (const signal of items) {
      if (signal.takenBy !== undefined && signal.takenBy !== wait.id) continue;
      const { id } = signal;
      const free = { id, takenBy: signal.takenBy ?? null, ...open };
      const mine = await signals.updateOne(free, { $set: { takenBy: wait.id, takenAt: new Date() } });
      if (!mine) continue;
      const outcome = await give(meeting, signal, wait);
      const settled =
        outcome === "given" ? { $set: { delivered: 1 } } : { $unset: { takenBy: 1 as const, takenAt: 1 as const } };
      await signals.updateOne({ id, takenBy: wait.id }, settled);
      if (outcome === "given") return true;
      if (outcome === "over") return false;
    }
  }
  return false;
}
