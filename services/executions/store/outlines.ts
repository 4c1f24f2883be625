import type { Store } from "../../../adapters/store/port.ts";
import { Outline } from "../../../core/run/outline/outline.ts";
import { ExecutionJournal } from "./journal.ts";

/**
 * The limit for all cached outlines, in bytes of heap, by their own estimate. The largest run takes about half of it.
 */
const MAX_WEIGHT = 64 * 1024 * 1024;

interface Kept {
  outline: Outline;
  /** The current or last read. The next read begins after it. */
  reading: Promise<unknown>;
}

/**
 * Caches outlines of runs that clients view. A journal only grows, so an outline continues where the last read ended.
 * The outline of an ended run needs no further read. The least recently used outlines are evicted first.
 */
export class Outlines {
  readonly #store: Store;
  readonly #kept = new Map<string, Kept>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The outline of a run, up to date with its journal.
   * @throws {NewerEntryError} when this version does not understand an entry
   */
  async of(workspaceId: string, executionId: string): Promise<Outline> {
    const key = `${workspaceId}:${executionId}`;
    const kept = this.#kept.get(key) ?? { outline: new Outline(), reading: Promise.resolve() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const { outline } = kept;
    if (outline.isOver) return outline;
    const reading = kept.reading.then(() =>
      this.#read(outline, new ExecutionJournal(this.#store, workspaceId, executionId)),
    );
    kept.reading = reading.catch(() => undefined);
    try {
      await reading;
    } catch (error) {
      // The outline may contain a partly processed entry.
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
    this.#evict();
    return outline;
  }

  async #read(outline: Outline, journal: ExecutionJournal): Promise<void> {
    if (outline.isOver) return;
    for await (const { seq, entries } of journal.appendsFrom(outline.seq + 1))
      for (const entry of entries) outline.add(entry, seq);
  }

  #evict(): void {
    let weight = 0;
    for (const { outline } of this.#kept.values()) weight += outline.weight;
    for (const [key, { outline }] of this.#kept) {
      if (weight <= MAX_WEIGHT) return;
      this.#kept.delete(key);
      weight -= outline.weight;
    }
  }
}
