import type { ServiceBroker } from "moleculer";
import { credentialOf, principalOf } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { bearerToken } from "../../../service-kit/authorization.ts";
import { type Warn, throttledWarn } from "../../../service-kit/throttled-warn.ts";
import { gauge } from "../../../telemetry/instruments.ts";
import { EVENT_ID_PATTERN } from "./event-text.ts";
import type { Exchange } from "../http/exchange.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import { CallerLimit } from "../access/caller-limit.ts";
import { STREAM_HEADERS } from "../http/security-headers.ts";
import { type Feed, StreamCaller } from "./feed.ts";
import { Sink } from "./sink.ts";
import { Stream } from "./stream.ts";

/** How often the gateway tells the worker of a followed run that it has followers. */
const WATCH_MS = 10_000;
/** The most streams of one user, or of one API key. */
const MAX_STREAMS = 100;
const open = gauge("weft_event_streams_open");
/** The form of the header in the OpenAPI document. Browsers send no header before the first event. */
const LAST_EVENT_ID = new RegExp(EVENT_ID_PATTERN);

/** The subject of a stream. */
export interface Subject {
  /** The id in hints about the subject: the id of an execution or a user. It is unique among all subjects. */
  id: string;
  feed: Feed;
  /** Tells the worker that produces the events that a client follows them. */
  watch?: () => void;
  /** Called when the stream has ended. */
  end?: () => void;
}

/** The subject of a request. `lastEventId` is undefined for a client that has seen no event. */
export type SubjectOf = (caller: StreamCaller, lastEventId: number | undefined) => Subject;

interface Followed {
  streams: Set<Stream>;
  watch: Subject["watch"];
}

function lastEventId(x: Exchange): number | undefined {
  const text = x.req.headers["last-event-id"];
  if (text === undefined) return undefined;
  if (typeof text === "string" && LAST_EVENT_ID.test(text)) return Number(text);
  throw new AppError("validation_failed", {
    errors: [{ path: "Last-Event-ID", message: "Expected the id of an event of this stream" }],
  });
}

/** The open event streams of this node, by subject. */
export class EventStreams {
  readonly #broker: ServiceBroker;
  readonly #warn: Warn;
  readonly #maxMs: number;
  readonly #followed = new Map<string, Followed>();
  readonly #uses: OpenConnections;
  readonly #perCaller = new CallerLimit(
    MAX_STREAMS,
    `A user or API key can open up to ${MAX_STREAMS} event streams at a time.`,
  );
  readonly #watch: NodeJS.Timeout;
  #closed = false;

  constructor(broker: ServiceBroker, logger: ServiceBroker["logger"], uses: OpenConnections, maxMs: number) {
    this.#broker = broker;
    this.#uses = uses;
    // One throttle for all streams: while the store is unavailable, every open stream fails each second.
    this.#warn = throttledWarn(logger);
    this.#maxMs = maxMs;
    this.#watch = setInterval(() => this.#followed.forEach(({ watch }) => watch?.()), WATCH_MS).unref();
  }

  get size(): number {
    return [...this.#followed.values()].reduce((sum, { streams }) => sum + streams.size, 0);
  }

  /** Reports new events of this subject, up to `seq` if it is known. */
  heard(id: string, seq = Infinity): void {
    this.#followed.get(id)?.streams.forEach(stream => stream.heard(seq));
  }

  /** Sends an event that is not stored to the followers of this subject. */
  push(id: string, event: string, data: unknown): void {
    this.#followed.get(id)?.streams.forEach(stream => stream.push(event, data));
  }

  /** Responds to an authenticated request with the stream, or throws the reason for the refusal. */
  async answer(x: Exchange, subjectOf: SubjectOf): Promise<void> {
    const { identity, requestId, callerAddress: address } = x;
    const token = bearerToken(x.req.headers.authorization);
    if (!identity || !token) throw new AppError("unauthenticated");
    const caller = new StreamCaller(this.#broker, { identity, token, address, requestId });
    const subject = subjectOf(caller, lastEventId(x));
    const { feed } = subject;
    const stream = new Stream(feed, caller, new Sink(x.res), this.#warn);
    const left = this.#enter(principalOf(identity), subject, stream);
    const unused = this.#uses.enter(credentialOf(identity), () => stream.end());
    try {
      const finished = await feed.finished();
      const any = await stream.begin();
      // A client that has seen the last event is told not to reconnect (HTML standard, section 9.2.3).
      if (finished && !any) return x.send(204);
      if (this.#closed) throw new AppError("unavailable");
      if (x.clientGone) return;
      x.streamed = true;
      x.res.once("close", () => stream.end());
      x.res.writeHead(200, [...STREAM_HEADERS, ...x.headers, ...x.limit]);
      if (x.req.method === "HEAD") return void x.res.end();
      await stream.run(this.#maxMs);
    } finally {
      unused();
      left();
      subject.end?.();
    }
  }

  /** Ends every stream. The clients reconnect with the last id that they received, here or at another node. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#watch);
    for (const { streams } of this.#followed.values()) streams.forEach(stream => stream.end());
  }

  #enter(caller: string, { id, watch }: Subject, stream: Stream): () => void {
    const uncount = this.#perCaller.enter(caller);
    const followed = this.#followed.get(id) ?? { streams: new Set(), watch };
    followed.streams.add(stream);
    open().add();
    this.#followed.set(id, followed);
    watch?.();
    return () => {
      uncount();
      this.#leave(id, stream);
    };
  }

  #leave(id: string, stream: Stream): void {
    open().add(-1);
    const streams = this.#followed.get(id)?.streams;
    streams?.delete(stream);
    if (streams?.size === 0) this.#followed.delete(id);
  }
}
