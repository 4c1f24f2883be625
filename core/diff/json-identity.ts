/** More than the values that are compared. A key and its value make one exact integer: the square is below 2 ** 53. */
const MAX_NUMBERS = 2 ** 26;

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
    // Sorting numbers takes a fraction of the time of sorting texts.
    const members: number[] = [];
    for (const key in value)
      members.push(this.of(key) * MAX_NUMBERS + this.of((value as Record<string, unknown>)[key]));
    return `{${members.sort((a, b) => a - b).join()}`;
  }

  #number<K>(numbers: Map<K, number>, key: K): number {
    const number = numbers.get(key) ?? ++this.#last;
    numbers.set(key, number);
    return number;
  }
}
