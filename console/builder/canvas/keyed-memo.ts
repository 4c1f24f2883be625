interface Kept<T> {
  inputs: readonly unknown[];
  made: T;
}

/** Rebuilds an object only when its inputs changed, so that React draws nothing else again. */
export class KeyedMemo<T> {
  #kept = new Map<string, Kept<T>>();
  #next = new Map<string, Kept<T>>();
  #list: T[] = [];

  make(id: string, inputs: readonly unknown[], make: () => T): T {
    const kept = this.#kept.get(id);
    const same = kept?.inputs.every((input, n) => input === inputs[n]);
    const entry = kept && same ? kept : { inputs, made: make() };
    this.#next.set(id, entry);
    return entry.made;
  }

  /** Returns the previous list if all items are the same objects. */
  turn(made: T[]): T[] {
    this.#kept = this.#next;
    this.#next = new Map();
    const before = this.#list;
    const same = made.length === before.length && made.every((one, n) => one === before[n]);
    this.#list = same ? before : made;
    return this.#list;
  }
}
