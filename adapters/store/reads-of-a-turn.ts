import type { PointRead } from "./driver.ts";
import type { Layout } from "./layout.ts";

type Found = Record<string, unknown> | null;

/** Callers share the document, so it must not change. */
const frozen = (document: Found): Found => document && Object.freeze(document);

/**
 * Reads from a server that are asked for in the same turn of the event loop. Those of the same document become one, and
 * all of them are sent together when the turn is over. So each caller gets the document as it was at the earliest when it
 * asked. If the read fails, it fails for all of them.
 */
export class ReadsOfATurn {
  readonly #getEach: (reads: readonly PointRead[]) => Promise<Found[]>;
  #asked = new Map<Layout, Map<string, Promise<Found>>>();
  #reads: PointRead[] = [];
  #turn: Promise<Found[]> | undefined;

  constructor(getEach: (reads: readonly PointRead[]) => Promise<Found[]>) {
    this.#getEach = getEach;
  }

  /** `key` stands for the condition. */
  get({ layout, where }: PointRead, key: string): Promise<Found> {
    let ofLayout = this.#asked.get(layout);
    if (!ofLayout) this.#asked.set(layout, (ofLayout = new Map<string, Promise<Found>>()));
    let found = ofLayout.get(key);
    if (!found) {
      const place = this.#reads.push({ layout, where }) - 1;
      found = this.#over().then(all => frozen(all[place] ?? null));
      ofLayout.set(key, found);
    }
    return found;
  }

  /** What the reads of this turn find, when it is over. What is asked from then on is part of the next one. */
  #over(): Promise<Found[]> {
    return (this.#turn ??= new Promise(resolve =>
      setImmediate(() => {
        const reads = this.#reads;
        this.#turn = undefined;
        this.#asked = new Map();
        this.#reads = [];
        resolve(this.#getEach(reads));
      }),
    ));
  }
}
