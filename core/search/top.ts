/** Keeps the positions of the `size` largest of the offered values, as a heap whose root is the smallest of them. */
export class Top {
  readonly #size: number;
  readonly #values: Float64Array;
  readonly #places: Float64Array;
  #count = 0;

  constructor(size: number) {
    this.#size = size;
    this.#values = new Float64Array(size);
    this.#places = new Float64Array(size);
  }

  offer(value: number, place: number): void {
    if (this.#count < this.#size) this.#rise(this.#count++, value, place);
    else if (this.#size > 0 && value > (this.#values[0] as number)) this.#sink(value, place);
  }

  /** The positions, in no particular order. */
  places(): number[] {
    return [...this.#places.subarray(0, this.#count)];
  }

  #rise(at: number, value: number, place: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#values[parent] as number) <= value) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, value, place);
  }

  #sink(value: number, place: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && (this.#values[child + 1] as number) < (this.#values[child] as number)) child++;
      if ((this.#values[child] as number) >= value) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, value, place);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#values[from] as number, this.#places[from] as number);
  }

  #set(at: number, value: number, place: number): void {
    this.#values[at] = value;
    this.#places[at] = place;
  }
}
