import type { Driver, WriteOp, WriteOutcome } from "./driver.ts";
import type { Condition } from "./filter.ts";
import { StoreTimeoutError } from "./errors.ts";
import type { Layout } from "./layout.ts";
import { ReadBatcher } from "./read-batcher.ts";

type Found = Record<string, unknown> | null;

/** The limits of one collection. */
const MAX_KEPT = 10_000;
const MAX_KEPT_CHARS = 4 * 1024 * 1024;

class Shelf {
  readonly found = new Map<string, Found>();
  chars = 0;
  /** How often the shelf was emptied. */
  emptied = 0;
  /** The number of running writes to the collection. */
  writing = 0;

  empty(): void {
    this.emptied++;
    this.chars = 0;
    if (this.found.size > 0) this.found.clear();
  }
}

/**
 * Keeps read documents in memory while they are certainly current: this process has exclusive access, and has written
 * nothing to the collection since. When a write begins, the collection's documents are dropped, and none are kept until
 * it ends. Documents from a server are never kept, because access to it is never exclusive. Callers that ask in the
 * same turn share one read.
 */
export class SharedReads {
  readonly #driver: Driver;
  readonly #shelves = new Map<Layout, Shelf>();
  readonly #ofATurn: ReadBatcher;
  /** The shelves of writes that timed out and may still be executed. */
  readonly #unsure: Shelf[] = [];
  #epoch: number | null = null;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#ofATurn = new ReadBatcher(reads => driver.getEach(reads));
  }

  /** `key` identifies the condition. Errors are not kept. */
  get(layout: Layout, key: string, where: () => Condition): Promise<Found> {
    if (!this.#driver.embedded) return this.#getOfATurn(layout, key, where);
    const read = async () => await this.#driver.get(layout, where());
    const epoch = this.#driver.epoch();
    if (epoch !== this.#epoch) for (const shelf of this.#shelves.values()) shelf.empty();
    this.#epoch = epoch;
    const shelf = this.#shelf(layout);
    if (epoch === null || shelf.writing > 0) return read();
    const found = shelf.found.get(key);
    return found === undefined ? this.#keep(shelf, key, read) : Promise.resolve(found);
  }

  /** Converts an error of `where` to a rejection. */
  async #getOfATurn(layout: Layout, key: string, where: () => Condition): Promise<Found> {
    return await this.#ofATurn.get({ layout, where: where() }, key);
  }

  /** The driver, with its writes reported to this object. */
  watched(): Driver {
    const driver = this.#driver;
    return {
      write: ops => this.#write(ops),
      register: layouts => driver.register(layouts),
      get: (layout, where) => driver.get(layout, where),
      getEach: reads => driver.getEach(reads),
      find: (layout, where, sort, limit) => driver.find(layout, where, sort, limit),
      count: (layout, where, limit) => driver.count(layout, where, limit),
      tally: (layout, where, path, of) => driver.tally(layout, where, path, of),
      epoch: () => driver.epoch(),
      embedded: driver.embedded,
      space: () => driver.space(),
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
    // Writes are executed in order. So when this one has succeeded, the earlier unsure ones have ended too.
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
    // A write or another process has invalidated the document meanwhile.
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

/** A unique key for each filter of only texts and nulls. Null for all other filters. */
export function keyOf(workspaceId: string | null, filter: object): string | null {
  let key = part(workspaceId);
  for (const [path, value] of Object.entries(filter) as [string, unknown][]) {
    if (typeof value !== "string" && value !== null) return null;
    key += part(path) + part(value);
  }
  return key;
}

const part = (value: string | null): string => (value === null ? "-" : `${value.length}:${value}`);
