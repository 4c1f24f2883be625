import type { DatabaseSync, StatementSync } from "node:sqlite";
import { COUNT_PROCESSES, LOOK_MS } from "./presence.ts";

/** Says whether this process is the only one that uses the file. The answer is at most `LOOK_MS` old. */
export class ExclusiveAccess {
  readonly #statement: StatementSync;
  readonly #self: Int32Array;
  #lookedAt = -Infinity;
  #alone = false;
  #lastToCome = 0;
  #epochs = 0;

  constructor(reader: DatabaseSync, self: Int32Array) {
    this.#statement = reader.prepare(COUNT_PROCESSES);
    this.#statement.setReturnArrays(true);
    this.#self = self;
  }

  /** A number that stays the same while access is exclusive without interruption; null while it may not be. */
  epoch(): number | null {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS) this.#look(now);
    return this.#alone ? this.#epochs : null;
  }

  #look(now: number): void {
    this.#lookedAt = now;
    const [count, first, lastToCome] = this.#read();
    const alone = count === 1 && first === Atomics.load(this.#self, 0);
    // Another process may have come, written and gone since the last check.
    if (!alone || !this.#alone || lastToCome !== this.#lastToCome) this.#epochs++;
    this.#alone = alone;
    this.#lastToCome = lastToCome ?? 0;
  }

  #read(): (number | null)[] {
    try {
      return (this.#statement.get() as unknown as (number | null)[] | undefined) ?? [];
    } catch {
      // The file is closed or locked. If that lasts, the next read reports it.
      return [];
    }
  }
}
