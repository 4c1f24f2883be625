import type { Driver, WriteOp, WriteOutcome } from "./driver.ts";
import { StoreTimeoutError } from "./errors.ts";
import type { Layout } from "./layout.ts";

type Found = Record<string, unknown> | null;

/** Of each collection. */
const MAX_KEPT = 10_000;
const MAX_KEPT_CHARS = 4 * 1024 * 1024;

class Shelf {
  readonly found = new Map<string, Found>();
  chars = 0;
  /** How often it was emptied. */
  emptied = 0;
  /** Writes to the collection that are under way. */
  writing = 0;

  empty(): void {
    this.emptied++;
    this.chars = 0;
    if (this.found.size > 0) this.found.clear();
  }
}

/**
 * What was read, kept for as long as it is surely still so: this process is alone with the data, and has written nothing to
 * the collection since. What is kept of it is forgotten when a write begins, and until it is answered nothing is kept anew.
 */
export class SharedReads {
  readonly #driver: Driver;
  readonly #shelves = new Map<Layout, Shelf>();
  /** Of writes that were answered by nothing but a time-out, and may still be carried out. */
  readonly #unsure: Shelf[] = [];
  #epoch: number | null = null;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** `key` stands for the filter; what `read` throws is not kept. */
  get(layout: Layout, key: string, read: () => Promise<Found>): Promise<Found> {
    const epoch = this.#driver.epoch();
    if (epoch !== this.#epoch) for (const shelf of this.#shelves.values()) shelf.empty();
    this.#epoch = epoch;
    const shelf = this.#shelf(layout);
    if (epoch === null || shelf.writing > 0) return read();
    const found = shelf.found.get(key);
    return found === undefined ? this.#keep(shelf, key, read) : Promise.resolve(found);
  }

  /** The driver, with its writes made known here. */
  watched(): Driver {
    const driver = this.#driver;
    return {
      write: ops => this.#write(ops),
      register: layouts => driver.register(layouts),
      get: (layout, where) => driver.get(layout, where),
      find: (layout, where, sort, limit) => driver.find(layout, where, sort, limit),
      count: (layout, where, limit) => driver.count(layout, where, limit),
      tally: (layout, where, path) => driver.tally(layout, where, path),
      epoch: () => driver.epoch(),
      embedded: driver.embedded,
      ping: () => driver.ping(),
      close: () => driver.close(),
    };
  }

  async #write(ops: readonly WriteOp[]): Promise<WriteOutcome[]> {
    const shelves = ops.flatMap(op => (op.kind === "index" ? [] : [this.#shelf(op.layout)]));
    for (const shelf of shelves) {
      shelf.writing++;
      shelf.empty();
    }
    // Writes are carried out in order: once this one is, so are they.
    const earlier = this.#unsure.splice(0);
    let over = shelves;
    try {
      const outcomes = await this.#driver.write(ops);
      if (earlier.length > 0) over = shelves.concat(earlier.splice(0));
      return outcomes;
    } catch (error) {
      if (error instanceof StoreTimeoutError) earlier.push(...over.splice(0));
      throw error;
    } finally {
      this.#unsure.push(...earlier);
      for (const shelf of over) shelf.writing--;
    }
  }

  async #keep(shelf: Shelf, key: string, read: () => Promise<Found>): Promise<Found> {
    const { emptied } = shelf;
    const document = await read();
    // A write or another process came in between.
    if (emptied !== shelf.emptied) return document;
    const chars = key.length + JSON.stringify(document).length;
    if (shelf.found.size >= MAX_KEPT || shelf.chars + chars > MAX_KEPT_CHARS) shelf.empty();
    if (chars > MAX_KEPT_CHARS) return document;
    shelf.found.set(key, document && Object.freeze(document));
    shelf.chars += chars;
    return document;
  }

  #shelf(layout: Layout): Shelf {
    let shelf = this.#shelves.get(layout);
    if (!shelf) this.#shelves.set(layout, (shelf = new Shelf()));
    return shelf;
  }
}

/** One text for each filter of nothing but texts and nulls; null for all others. */
export function keyOf(workspaceId: string | null, filter: object): string | null {
  let key = part(workspaceId);
  for (const [path, value] of Object.entries(filter) as [string, unknown][]) {
    if (typeof value !== "string" && value !== null) return null;
    key += part(path) + part(value);
  }
  return key;
}

const part = (value: string | null): string => (value === null ? "-" : `${value.length}:${value}`);
