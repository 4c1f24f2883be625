import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LOOK, LOOK_MS } from "./presence.ts";

/** The reading end of presence: whether this process is alone on the file, by a look that is never older than `LOOK_MS`. */
export class Solitude {
  readonly #statement: StatementSync;
  readonly #self: Int32Array;
  #lookedAt = -Infinity;
  #alone = false;
  #lastToCome = 0;
  #spells = 0;

  constructor(reader: DatabaseSync, self: Int32Array) {
    this.#statement = reader.prepare(LOOK);
    this.#statement.setReturnArrays(true);
    this.#self = self;
  }

  /** A number that stays the same while this process is alone without a break; null while it may not be. */
  spell(): number | null {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS) this.#look(now);
    return this.#alone ? this.#spells : null;
  }

  #look(now: number): void {
    this.#lookedAt = now;
    const [count, first, lastToCome] = this.#read();
    const alone = count === 1 && first === Atomics.load(this.#self, 0);
    // Somebody may have come, written and gone since the last look.
    if (!alone || !this.#alone || lastToCome !== this.#lastToCome) this.#spells++;
    this.#alone = alone;
    this.#lastToCome = lastToCome ?? 0;
  }

  #read(): (number | null)[] {
    try {
      return (this.#statement.get() as unknown as (number | null)[] | undefined) ?? [];
    } catch {
      // Closed or held by another: the read that comes next says so, if it is so still.
      return [];
    }
  }
}
