import type { StepEntry } from "../../../core/run/entry.ts";
import type { RunState } from "../../../core/run/state.ts";
import type { Owner, Values } from "../store/values.ts";

/** Makes the entries of one run last: large values leave the journal, and the run holds what the entries name. */
export class Lasting {
  readonly #values: Values;
  readonly #run: Owner;
  /** The ids that this run holds, as far as this worker knows. */
  readonly #held = new Set<string>();
  #holdsInput = false;

  constructor(values: Values, { id, workspaceId }: Owner) {
    this.#values = values;
    this.#run = { id, workspaceId };
  }

  /** The entries as the journal keeps them. What they name is held before it is in the journal. */
  async of(entries: readonly StepEntry[], { input }: RunState): Promise<StepEntry[]> {
    const lasting = await this.#values.lasting(this.#run, entries);
    await this.#values.holdEntries(this.#run, lasting, this.#holdsInput ? undefined : input, this.#held);
    this.#holdsInput = true;
    return lasting;
  }
}
