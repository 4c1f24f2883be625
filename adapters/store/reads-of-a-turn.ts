import type { Layout } from "./layout.ts";

type Found = Record<string, unknown> | null;

/** Of callers that share a document, none may change it for the others. */
const frozen = (document: Found): Found => document && Object.freeze(document);

/**
 * Reads from a server that are asked for in the same turn of the event loop. Those of the same document become one. It is
 * sent when the turn is over, so each caller gets the document as it was at the earliest when it asked.
 */
export class ReadsOfATurn {
  #asked = new Map<Layout, Map<string, Promise<Found>>>();
  #turn: Promise<void> | undefined;

  /** `key` stands for what `read` asks the server. */
  get(layout: Layout, key: string, read: () => Promise<Found>): Promise<Found> {
    let ofLayout = this.#asked.get(layout);
    if (!ofLayout) this.#asked.set(layout, (ofLayout = new Map<string, Promise<Found>>()));
    let found = ofLayout.get(key);
    if (!found) ofLayout.set(key, (found = this.#over().then(read).then(frozen)));
    return found;
  }

  /** Resolves when this turn is over. What is asked from then on is part of the next one. */
  #over(): Promise<void> {
    return (this.#turn ??= new Promise(resolve =>
      setImmediate(() => {
        this.#turn = undefined;
        this.#asked = new Map();
        resolve();
      }),
    ));
  }
}
