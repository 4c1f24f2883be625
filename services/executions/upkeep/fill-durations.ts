import type { Store } from "../../../adapters/store/port.ts";
import { repeatWithPauses } from "../../../service-kit/repeat-with-pauses.ts";
import { durationWrites } from "../store/durations.ts";
import { Executions } from "../store/model.ts";

const PAGE = 200;
/** How long one sweep fills in durations, so that a stop does not have to wait. */
const TURN_MS = 500;
/** The executions that are already in the statistics. The index for their order serves this query as well. */
const COUNTED = { counted: true, finishedAt: { $exists: true } } as const;

/**
 * Fills in the durations of executions that ended under an earlier version, from the newest to the oldest. So if the
 * oldest one has a duration, all have one, and a process that starts later checks only that one. An execution that ends
 * on a node of an earlier version meanwhile gets its duration when it is counted.
 */
export class DurationFilling {
  readonly #store: Store;
  #cursor: string | null = null;
  #isDone = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns whether there is more to fill in. */
  async run(): Promise<boolean> {
    if (this.#isDone) return false;
    if (this.#cursor === null && (await this.#isFull())) return !(this.#isDone = true);
    const more = await repeatWithPauses(TURN_MS, () => this.#page());
    this.#isDone = !more;
    return more;
  }

  async #isFull(): Promise<boolean> {
    const { items } = await this.#store.acrossTenants(Executions).find(COUNTED, { sort: { finishedAt: 1 }, limit: 1 });
    return items[0]?.durationMs !== undefined || items.length === 0;
  }

  async #page(): Promise<boolean> {
    const options = { sort: { finishedAt: -1 }, limit: PAGE, after: this.#cursor } as const;
    const { items, next } = await this.#store.acrossTenants(Executions).find(COUNTED, options);
    const writes = durationWrites(this.#store, items);
    if (writes.length > 0) await this.#store.write(writes);
    this.#cursor = next;
    return next !== null;
  }
}
