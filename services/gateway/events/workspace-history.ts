import type { StreamEvent } from "./feed.ts";

/** The most events, and the most characters of events, that clients can be behind. */
const MAX_EVENTS = 500;
const MAX_CHARS = 512 * 1024;
/** Ids are milliseconds since this time, with the digits of the node that gave them behind: at most 15 digits until 2057. */
const EPOCH = Date.UTC(2026, 0, 1);
const NODES = 1_000;
/** How far the clocks and the hints of two nodes may be apart. A client that changes its node may see events twice. */
const MARGIN_MS = 5_000;

const timeOf = (id: number): number => Math.floor(id / NODES);

/** The last events of one workspace, for clients that return. */
export class WorkspaceHistory {
  readonly #node = Math.floor(Math.random() * NODES);
  readonly #events: { event: StreamEvent; chars: number }[] = [];
  #chars = 0;
  /** The id of the last event, or of the beginning. */
  last: number;
  /** Every event after this id is here. */
  #since: number;

  constructor() {
    this.last = this.#since = this.#idAt(Date.now());
  }

  #idAt(ms: number): number {
    return (ms - EPOCH) * NODES + this.#node;
  }

  add(event: string, data: object): StreamEvent {
    this.last = Math.max(this.#idAt(Date.now()), this.last + NODES);
    const made = { id: this.last, event, data };
    const chars = JSON.stringify(data).length;
    this.#events.push({ event: made, chars });
    this.#chars += chars;
    while (this.#events.length > MAX_EVENTS || (this.#chars > MAX_CHARS && this.#events.length > 1)) {
      const dropped = this.#events.shift()!;
      this.#chars -= dropped.chars;
      this.#since = dropped.event.id;
    }
    return made;
  }

  /**
   * The events after the one with this id, which this node or another one has given. Null where some of them may be
   * missing.
   */
  after(id: number): StreamEvent[] | null {
    const isOwn = id % NODES === this.#node;
    const from = isOwn ? id : (timeOf(id) - MARGIN_MS) * NODES;
    if (from < this.#since || id > this.last + MARGIN_MS * NODES) return null;
    return this.#events.filter(({ event }) => event.id > from).map(({ event }) => event);
  }
}
