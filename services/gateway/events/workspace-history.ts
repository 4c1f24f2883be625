import type { StreamEvent } from "./feed.ts";

/** Limits how far clients can be behind: the number of events, and their characters. */
const MAX_EVENTS = 500;
const MAX_CHARS = 512 * 1024;
/**
 * Ids are milliseconds since this time, followed by the digits of the node that created them. They have at most 15
 * digits until 2057.
 */
const EPOCH = Date.UTC(2026, 0, 1);
const NODES = 1_000;
/**
 * The maximum difference between the clocks and hints of two nodes. A client that changes its node may receive events
 * twice.
 */
const MARGIN_MS = 5_000;

const timeOf = (id: number): number => Math.floor(id / NODES);

/** The latest events of one workspace, for clients that reconnect. */
export class WorkspaceHistory {
  readonly #node = Math.floor(Math.random() * NODES);
  readonly #events: { event: StreamEvent; chars: number }[] = [];
  #chars = 0;
  /** The id of the latest event, or of the beginning. */
  last: number;
  /** Every event after this id is kept. */
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
   * The events after the one with this id, whether this node or another one created the id. Null if some of them may be
   * missing.
   */
  after(id: number): StreamEvent[] | null {
    const isOwn = id % NODES === this.#node;
    const from = isOwn ? id : (timeOf(id) - MARGIN_MS) * NODES;
    if (from < this.#since || id > this.last + MARGIN_MS * NODES) return null;
    return this.#events.filter(({ event }) => event.id > from).map(({ event }) => event);
  }
}
