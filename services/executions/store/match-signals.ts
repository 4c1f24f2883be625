import type { Collection, Filter, Store } from "../../../adapters/store/port.ts";
import { nodeAt } from "../../../core/run/frame.ts";
import { isFinal } from "../../../core/run/state.ts";
import { deliver, isSettled } from "./deliver.ts";
import { ExecutionJournal } from "./journal.ts";
import { SENDER, type SignalDoc, Signals, type WaitDoc, Waits } from "./signal-model.ts";
import { Executions } from "./model.ts";

/** What is needed to match signals with waiting steps. Either the signal or the step may come first. */
export interface SignalMatching {
  store: Store;
  /** Whether data fits the schema of a step. */
  fits(schema: unknown, data: unknown, workspaceId: string): Promise<boolean>;
  /** Tells workers that a signal is in the inbox of an execution. */
  announce(executionId: string): void;
}

/**
 * `given`: the step received the signal. `refused`: the data does not fit its schema. `over`: the step no longer waits.
 */
type Outcome = "given" | "refused" | "over";

/** The most stored signals that a step examines when it begins to wait. */
const MAX_LOOKED = 50;

/**
 * Gives a signal to a waiting step, once. The inbox of the execution decides whether the step still waits: the first of
 * several signals ends the wait, unless the wait has expired before.
 */
export async function giveSignal(matching: SignalMatching, signal: SignalDoc, wait: WaitDoc): Promise<Outcome> {
  const { store } = matching;
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
    if (node?.signal === signal.id) {
      outcome = "given";
      return null;
    }
    if (isFinal(state.status) || node?.waitsFor !== "event" || node.attempt !== attempt) return null;
    if (isSettled(doc, at, attempt)) return null;
    const schema = node.awaits?.schema;
    if (schema !== undefined && !(await matching.fits(schema, signal.data, workspaceId))) {
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
    matching.announce(executionId);
  }
  if (outcome !== "refused") await store.tenant(Waits, workspaceId).remove({ id: wait.id });
  return outcome;
}

/** The filter for the waiting steps that a signal is for. */
const waitsFor = ({ event, key, place }: SignalDoc): Filter<WaitDoc> =>
  place === undefined ? { event: event ?? null, key: key ?? null } : { place };

const PAGE = 100;
/** For how long one call offers a signal to steps. */
const OFFER_MS = 8_000;

interface Offered {
  delivered: number;
  refused: number;
  /** Another step has claimed the signal. */
  taken: boolean;
  more: boolean;
}

/**
 * Gives a stored signal to every step that waits for it. Meanwhile, no step that begins to wait can take the signal;
 * such a step is found at the end. When called again after a crash, it recognises the steps that already have the
 * signal.
 * @throws {AppError} conflict when an execution changes too often, or its inbox is full
 */
export async function offerSignal(matching: SignalMatching, signal: SignalDoc): Promise<Offered> {
  const { store } = matching;
  const { id, workspaceId } = signal;
  const [waits, signals] = [store.tenant(Waits, workspaceId), store.tenant(Signals, workspaceId)];
  const until = performance.now() + OFFER_MS;
  const sum: Offered = { delivered: 0, refused: 0, taken: false, more: false };
  const tried = new Set<string>();
  let page = signal.takenBy === SENDER ? (signal.offered ?? []) : [];
  for (;;) {
    for (const wait of page) {
      tried.add(wait.id);
      const outcome = await giveSignal(matching, signal, wait);
      if (outcome === "given") sum.delivered++;
      if (outcome === "refused") sum.refused++;
    }
    if (performance.now() > until) return { ...sum, more: true };
    const free = { id, delivered: null, takenBy: { $in: [null, SENDER] } };
    if (sum.delivered === 0) {
      // From now on, a step that begins to wait may take the signal. Steps that began to wait before are found now.
      const released = await signals.updateOne(free, { $unset: { takenBy: 1, offered: 1 } });
      if (!released) {
        if (await helped(matching, id, workspaceId)) return { ...sum, taken: true };
        page = [];
        continue;
      }
    }
    page = await untried(waits, signal, tried);
    if (page.length === 0) return sum;
    const claimed = await signals.updateOne(free, { $set: { takenBy: SENDER, offered: page } });
    if (!claimed) {
      if (await helped(matching, id, workspaceId)) return { ...sum, taken: true };
      page = [];
    }
  }
}

/**
 * Completes a step's claim on a signal, because the step's worker may have died. Returns true if the signal was
 * delivered or is gone. Otherwise the signal is free again.
 */
async function helped(matching: SignalMatching, id: string, workspaceId: string): Promise<boolean> {
  const signals = matching.store.tenant(Signals, workspaceId);
  const signal = await signals.get({ id });
  if (!signal || signal.delivered !== undefined) return true;
  const { takenBy, offered: [claimant] = [] } = signal;
  if (takenBy === undefined || takenBy === SENDER || !claimant) return false;
  const given = (await giveSignal(matching, signal, claimant)) === "given";
  const change = given ? { $set: { delivered: 1 } } : { $unset: { takenBy: 1 as const, offered: 1 as const } };
  await signals.updateOne({ id, takenBy, delivered: null }, change);
  return given;
}

/** Some of the steps that wait for a signal and have not been tried. */
async function untried(waits: Collection<WaitDoc>, signal: SignalDoc, tried: ReadonlySet<string>): Promise<WaitDoc[]> {
  for (let after: string | null = null; ;) {
    const page = await waits.find(waitsFor(signal), { limit: PAGE, after });
    const fresh = page.items.filter(({ id }) => !tried.has(id));
    if (fresh.length > 0 || !page.next) return fresh;
    after = page.next;
  }
}

/** Whether the step that claimed the signal no longer waits. Its worker died before it released the claim. */
async function isStale({ store }: SignalMatching, { id, takenBy, offered = [] }: SignalDoc): Promise<boolean> {
  const [claimant] = offered;
  if (takenBy === SENDER || !claimant) return false;
  const { workspaceId, executionId, at, attempt } = claimant;
  const doc = await store.tenant(Executions, workspaceId).get({ id: executionId });
  if ((doc?.inbox ?? []).some(one => one.kind === "event" && one.signalId === id)) return false;
  const state = await new ExecutionJournal(store, workspaceId, executionId).fold();
  const node = nodeAt(state, at);
  if (node?.signal === id) return false;
  return isFinal(state.status) || node?.waitsFor !== "event" || node.attempt !== attempt;
}

/**
 * Gives an earlier signal to a step that has begun to wait. A claim on the signal prevents its delivery to another
 * step. If a worker dies after the claim, its successor matches again. Returns whether a signal was delivered.
 */
export async function matchStoredSignal(matching: SignalMatching, wait: WaitDoc): Promise<boolean> {
  const signals = matching.store.tenant(Signals, wait.workspaceId);
  const { event, key, place } = wait;
  const open = { delivered: null };
  const named = event === undefined ? [] : [{ event, key: key ?? null }];
  for (const filter of [{ place }, ...named]) {
    const { items } = await signals.find(
      { ...filter, ...open, expiresAt: { $gt: new Date() } },
      { sort: { receivedAt: 1 }, limit: MAX_LOOKED },
    );
    for (const signal of items) {
      const { id } = signal;
      if (signal.takenBy !== undefined && signal.takenBy !== wait.id && !(await isStale(matching, signal))) continue;
      const free = { id, takenBy: signal.takenBy ?? null, ...open };
      const mine = await signals.updateOne(free, { $set: { takenBy: wait.id, offered: [wait] } });
      if (!mine) continue;
      const outcome = await giveSignal(matching, signal, wait);
      const settled =
        outcome === "given" ? { $set: { delivered: 1 } } : { $unset: { takenBy: 1 as const, offered: 1 as const } };
      await signals.updateOne({ id, takenBy: wait.id }, settled);
      if (outcome === "given") return true;
      if (outcome === "over") return false;
    }
  }
  return false;
}
