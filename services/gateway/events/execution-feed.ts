import type { ServiceBroker } from "moleculer";
import { call, hint } from "../../../contracts/call.ts";
import { FINAL_EVENTS } from "../../../contracts/entities/execution.ts";
import { MAX_PAGE } from "../../../contracts/primitives.ts";
import type { SubjectOf } from "./event-streams.ts";
import type { Feed, StreamCaller, StreamEvent } from "./feed.ts";

/**
 * How long a worker reports the entries of a followed run after each notice. It is longer than the interval between two
 * notices.
 */
const WATCH_FOR_MS = 15_000;

/** The ids in the path of an execution. */
export interface ExecutionPath {
  workspaceId: string;
  spaceId: string;
  id: string;
  /** True if the events include the payloads of the log. */
  payloads?: boolean;
  /** True if the stream includes text while a model writes it. */
  deltas?: boolean;
}

/** The log of one execution. */
export class ExecutionFeed implements Feed {
  readonly #broker: ServiceBroker;
  readonly #caller: StreamCaller;
  readonly #path: Omit<ExecutionPath, "payloads" | "deltas">;
  readonly #payloads: boolean | undefined;
  readonly words: boolean;
  readonly restMs = 0;
  /** The seq of the last log entry that was read. It is also the id of its event. */
  seq: number;
  more = false;
  ended = false;

  constructor(broker: ServiceBroker, caller: StreamCaller, path: ExecutionPath, after: number) {
    this.#broker = broker;
    this.#caller = caller;
    const { payloads, deltas = false, ...place } = path;
    this.words = deltas;
    this.#path = place;
    this.#payloads = payloads;
    this.seq = after;
  }

  async read(): Promise<StreamEvent[]> {
    const input = { ...this.#path, after: this.seq, limit: MAX_PAGE, payloads: this.#payloads };
    this.more = false;
    const { items, next } = await call(this.#broker, "executions.logs", input, this.#caller.options);
    this.more = next !== null;
    const fresh = items.filter(entry => entry.seq > this.seq);
    const last = fresh.at(-1);
    if (last) this.seq = last.seq;
    this.ended ||= fresh.some(entry => FINAL_EVENTS.has(entry.event));
    return fresh.map(entry => ({ id: entry.seq, event: entry.event, data: entry }));
  }

  /** This also checks that the caller may read the execution. */
  async finished(): Promise<boolean> {
    const { finishedAt } = await call(this.#broker, "executions.progress", this.#path, this.#caller.options);
    return finishedAt !== null;
  }
}

/** The events of an execution. A client that has received none gets them from the first one on. */
export const executionSubject =
  (broker: ServiceBroker, path: ExecutionPath): SubjectOf =>
  (caller, lastEventId = 0) => ({
    id: path.id,
    feed: new ExecutionFeed(broker, caller, path, lastEventId),
    watch: () => hint(broker, "all", "execution.watched", { executionId: path.id, forMs: WATCH_FOR_MS }),
  });
