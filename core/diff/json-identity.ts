/**
 * Numbers JSON values so that two values are equal exactly when their numbers are. The order of keys does not matter.
 * Each part is visited once however often it is compared (hash consing, Ershov 1958), so that comparing at every level
 * of nesting stays linear.
 */
export class JsonIdentity {
  readonly #primitives = new Map<unknown, number>();
  /** The numbers of structures, by the numbers of their parts. */
  readonly #structures = new Map<string, number>();
  readonly #objects = new Map<object, number>();
  #last = 0;

  of(value: unknown): number {
    if (typeof value !== "object" || value === null) return this.#number(this.#primitives, value);
    const known = this.#objects.get(value);
    if (known !== undefined) return known;
    const number = this.#number(this.#structures, this.#structureOf(value));
    this.#objects.set(value, number);
    return number;
  }

  #structureOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map(item => this.of(item)).join()}`;
    const entries = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${this.of(part)}`);
    return `{${entries.sort().join()}`;
  }

  #number<K>(numbers: Map<K, number>, key: K): number {
    const number = numbers.get(key) ?? ++this.#last;
    numbers.set(key, number);
    return number;
  }
}
