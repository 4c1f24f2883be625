import type { WriteOp } from "../../../adapters/store/port.ts";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { eventWaits } from "../../../core/run/waits.ts";
import { matchStoredSignal } from "../store/match-signals.ts";
import { Signals, type WaitDoc, Waits } from "../store/signal-model.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { placeOf, removeWaits, waitOf } from "../store/waits.ts";
import type { EngineParts } from "./parts.ts";

function unlessKnown(error: unknown): void {
  if (!isUniqueConflict(error)) throw error;
}

/**
 * The steps of one held run that wait for signals. Each has a document by which signals find it. Each searches once for a
 * signal that came before it. The worker parks the run only after these searches. If it dies before, the worker that
 * takes the run over repeats them.
 */
export class EventWaits {
  readonly #parts: EngineParts;
  readonly #doc: Pick<ExecutionDoc, "id" | "workspaceId" | "spaceId">;
  /** The documents of waits, by id, as far as this worker knows. */
  readonly #known = new Map<string, WaitDoc>();
  readonly #unmet = new Set<WaitDoc>();
  /**
   * The waits of `#unmet` whose document may be missing, because the previous worker died after it wrote the journal.
   */
  readonly #unsure = new Set<WaitDoc>();

  constructor(parts: EngineParts, doc: ExecutionDoc, state: RunState) {
    this.#parts = parts;
    this.#doc = doc;
    for (const one of eventWaits(state)) {
      const wait = waitOf(doc, one);
      this.#known.set(wait.id, wait);
      this.#unmet.add(wait);
      this.#unsure.add(wait);
    }
  }

  /** Whether steps still have to search for earlier signals. */
  get isMeeting(): boolean {
    return this.#unmet.size > 0;
  }

  /** The writes that follow from what the run waits for now. */
  writes(state: RunState, entries: readonly StepEntry[]): WriteOp[] {
    const { store } = this.#parts;
    const now = isFinal(state.status) ? [] : eventWaits(state).map(one => waitOf(this.#doc, one));
    if (now.length === 0 && this.#known.size === 0) return [];
    const { ops } = store.tenant(Waits, this.#doc.workspaceId);
    const begun = now.filter(({ id }) => !this.#known.has(id));
    const ids = new Set(now.map(({ id }) => id));
    const over = [...this.#known.keys()].filter(id => !ids.has(id));
    for (const wait of begun) {
      this.#known.set(wait.id, wait);
      this.#unmet.add(wait);
    }
    for (const id of over) {
      this.#unmet.delete(this.#known.get(id)!);
      this.#known.delete(id);
    }
    const removals = isFinal(state.status) ? [removeWaits(store, this.#doc)] : over.map(id => ops.remove({ id }));
    return [...begun.map(wait => ops.insert(wait)), ...this.#settles(entries), ...removals];
  }

  /** The writes for claimed signals that are now in the journal. No other step may claim these signals. */
  #settles(entries: readonly StepEntry[]): WriteOp[] {
    const { ops } = this.#parts.store.tenant(Signals, this.#doc.workspaceId);
    return entries.flatMap(({ signal: id, nodeId = "", path, attempt }) => {
      if (id === undefined) return [];
      const takenBy = `${placeOf(this.#doc.id, { nodeId, path })}:${attempt}`;
      return ops.updateOne({ id, takenBy }, { $set: { delivered: 1 } });
    });
  }

  /** Lets the steps search for signals that came before they waited. Found signals are then in the inbox of the run. */
  async meet(): Promise<void> {
    // The run finds these signals itself, so it needs no hint.
    const matching = { ...this.#parts.matching, announce: () => undefined };
    const waits = this.#parts.store.tenant(Waits, this.#doc.workspaceId);
    for (const wait of this.#unmet) {
      // A worker whose own write failed has left the run, so what it wrote is there.
      if (this.#unsure.delete(wait)) await waits.insert(wait).catch(unlessKnown);
      await matchStoredSignal(matching, wait);
      this.#unmet.delete(wait);
    }
  }
}
