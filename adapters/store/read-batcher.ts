import type { PointRead } from "./driver.ts";
import type { Layout } from "./layout.ts";

type Found = Record<string, unknown> | null;

/** Callers share the document, so it must not change. */
const frozen = (document: Found): Found => document && Object.freeze(document);

/**
 * Collects reads from a server during one turn of the event loop. Reads of the same document become one, and all reads
 * are sent together at the end of the turn. So each caller gets a document that is not older than its request. If the
 * read fails, it fails for all of them.
 */
export class ReadBatcher {
  readonly #getEach: (reads: readonly PointRead[]) => Promise<Found[]>;
  #asked = new Map<Layout, Map<string, Promise<Found>>>();
  #reads: PointRead[] = [];
  #turn: Promise<Found[]> | undefined;

  constructor(getEach: (reads: readonly PointRead[]) => Promise<Found[]>) {
    this.#getEach = getEach;
  }

  /** `key` identifies the condition. */
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

  /** The results of this turn's reads, at the end of the turn. Later reads belong to the next turn. */
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
