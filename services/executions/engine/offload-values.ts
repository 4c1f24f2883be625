import type { StepEntry } from "../../../core/run/entry.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { Owner, Values } from "../store/values.ts";

/** Moves the large values of one run's entries to the store of files, so that the journal holds only references. */
export class ValueOffload {
  readonly #values: Values;
  readonly #run: Owner;
  /** The ids of the files that this run is known to hold. */
  readonly #held = new Set<string>();
  #holdsInput = false;

  constructor(values: Values, { id, workspaceId }: Owner) {
    this.#values = values;
    this.#run = { id, workspaceId };
  }

  /** The entries in the form that the journal stores. The run holds their files before the journal names them. */
  async of(entries: readonly StepEntry[], { input }: RunState): Promise<StepEntry[]> {
    const offloaded = await this.#values.offload(this.#run, entries);
    await this.#values.holdEntries(this.#run, offloaded, this.#holdsInput ? undefined : input, this.#held);
    this.#holdsInput = true;
    return offloaded;
  }
}
