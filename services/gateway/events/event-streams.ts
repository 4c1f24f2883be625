import type { ServiceBroker } from "moleculer";
import { hint } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { type Warn, seldom } from "../../../mixins/seldom.ts";
import { bearerToken } from "../authenticate.ts";
import type { Exchange } from "../exchange.ts";
import type { Input } from "../input.ts";
import { API_HEADERS } from "../security-headers.ts";
import { type ExecutionPath, Follower } from "./follower.ts";
import { Sink } from "./sink.ts";
import { Stream } from "./stream.ts";

/** Whoever runs a followed execution is told so this often, and believes it a little longer. */
const WATCH_MS = 10_000;
const WATCH_FOR_MS = 15_000;
const MAX_STREAMS_PER_USER = 100;
const FULL_RETRY_SECONDS = 5;
const LAST_EVENT_ID = /^\d{1,15}$/;
/** The last header keeps proxies of the nginx family from collecting events before they pass them on. */
const STREAM_HEADERS = ["Content-Type", "text/event-stream", "X-Accel-Buffering", "no"];

function lastEventId(x: Exchange): number {
  const text = x.req.headers["last-event-id"] || "0";
  if (typeof text === "string" && LAST_EVENT_ID.test(text)) return Number(text);
  throw new AppError("validation_failed", {
    errors: [{ path: "Last-Event-ID", message: "expected the id of an event of this stream" }],
  });
}

/** The open event streams of this node, by the execution that they follow. */
export class EventStreams {
  readonly #broker: ServiceBroker;
  readonly #warn: Warn;
  readonly #maxMs: number;
  readonly #streams = new Map<string, Set<Stream>>();
  readonly #perUser = new Map<string, number>();
  readonly #watch: NodeJS.Timeout;
  #closed = false;

  constructor(broker: ServiceBroker, logger: ServiceBroker["logger"], maxMs: number) {
    this.#broker = broker;
    // One for all: a store that is away fails every open stream each second.
    this.#warn = seldom(logger);
    this.#maxMs = maxMs;
    this.#watch = setInterval(() => [...this.#streams.keys()].forEach(id => this.#announce(id)), WATCH_MS).unref();
  }

  get size(): number {
    return [...this.#streams.values()].reduce((sum, streams) => sum + streams.size, 0);
  }

  /** An execution has entries up to this seq. */
  heard(executionId: string, seq: number): void {
    this.#streams.get(executionId)?.forEach(stream => stream.heard(seq));
  }

  /** Answers an authenticated request with the stream, or throws what forbids it. */
  async answer(x: Exchange, input: Input): Promise<void> {
    const { identity } = x;
    const token = bearerToken(x.req.headers.authorization);
    if (!identity || !token) throw new AppError("unauthenticated");
    const path = input as unknown as ExecutionPath;
    const caller = { identity, token, requestId: x.requestId };
    const follower = new Follower(this.#broker, caller, path, lastEventId(x));
    const stream = new Stream(follower, new Sink(x.res), this.#warn);
    const left = this.#enter(identity.userId, path.id, stream);
    try {
      const finished = await follower.finished();
      const first = await follower.read();
      // A client that has seen the end is told not to come back (HTML standard, section 9.2.3).
      if (finished && first.length === 0) return x.send(204);
      if (this.#closed) throw new AppError("unavailable");
      if (x.clientGone) return;
      x.res.once("close", () => stream.end());
      x.res.writeHead(200, [...API_HEADERS, ...x.headers, ...x.limit, ...STREAM_HEADERS]);
      if (x.req.method === "HEAD") return void x.res.end();
      await stream.run(first, this.#maxMs);
    } finally {
      left();
    }
  }

  /** Ends every stream; their clients come back with the last id that they saw, here or at another node. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#watch);
    for (const streams of this.#streams.values()) streams.forEach(stream => stream.end());
  }

  #announce(executionId: string): void {
    hint(this.#broker, "all", "execution.watched", { executionId, forMs: WATCH_FOR_MS });
  }

  #enter(userId: string, executionId: string, stream: Stream): () => void {
    const open = this.#perUser.get(userId) ?? 0;
    if (open >= MAX_STREAMS_PER_USER) {
      const detail = `A user can have ${MAX_STREAMS_PER_USER} event streams open.`;
      throw new AppError("rate_limited", { detail, retryAfterSeconds: FULL_RETRY_SECONDS });
    }
    this.#perUser.set(userId, open + 1);
    const streams = this.#streams.get(executionId) ?? new Set();
    this.#streams.set(executionId, streams.add(stream));
    this.#announce(executionId);
    return () => this.#leave(userId, executionId, stream);
  }

  #leave(userId: string, executionId: string, stream: Stream): void {
    const open = this.#perUser.get(userId)! - 1;
    if (open > 0) this.#perUser.set(userId, open);
    else this.#perUser.delete(userId);
    const streams = this.#streams.get(executionId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#streams.delete(executionId);
  }
}
