import { ERRORS } from "../../../contracts/errors.ts";
import type { Warn } from "../../../service-kit/throttled-warn.ts";
import { failureOf } from "../http/problem.ts";
import { eventText, KEEP_ALIVE, RETRY, unstoredEventText } from "./event-text.ts";
import type { Feed, StreamCaller, StreamEvent } from "./feed.ts";
import type { Sink } from "./sink.ts";
import { WakeUp } from "./wake-up.ts";

/** A hint can be lost, so a stream reads at least this often. */
const POLL_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** Streams must end within a second after their session or key, so every poll checks the credential. */
const RENEW_MS = POLL_MS - 100;
/**
 * How soon a stream notices that a run has ended without another entry. This is so for a client that starts after the
 * last entry.
 */
const FINISHED_CHECK_MS = 5_000;
const MAX_PASSING = 262_144;

/** One client that follows a subject. The feed reads, and the sink writes. */
export class Stream {
  readonly #feed: Feed;
  readonly #caller: StreamCaller;
  readonly #sink: Sink;
  readonly #warn: Warn;
  readonly #bell = new WakeUp();
  /** Events that were read but not yet written. They are kept only here, because a client may read slowly. */
  #unwritten = "";
  /** Text that a model is writing. A slow client misses a part of it, and receives the whole text with the log. */
  #passing = "";
  /** True if a hint announced events that were not read yet. */
  #news = false;
  #readAt = performance.now();
  #renewedAt = performance.now();
  #checkedAt = performance.now();

  constructor(feed: Feed, caller: StreamCaller, sink: Sink, warn: Warn) {
    this.#feed = feed;
    this.#caller = caller;
    this.#sink = sink;
    this.#warn = warn;
  }

  /** Handles a hint about events up to `seq`. */
  heard(seq: number): void {
    if (seq <= this.#feed.seq) return;
    this.#news = true;
    this.#bell.ring();
  }

  /** Sends an event that is not stored, if the client wants such events. */
  push(event: string, data: unknown): void {
    if (!this.#feed.words || this.#passing.length > MAX_PASSING) return;
    this.#passing += unstoredEventText(event, data);
    this.#bell.ring();
  }

  end(): void {
    this.#sink.end();
    this.#bell.ring();
  }

  /** Reads the existing events and returns whether there are any. Rejects when the caller may not read them. */
  async begin(): Promise<boolean> {
    return this.#take(await this.#feed.read());
  }

  /**
   * Writes the events that were read and those that follow, until the final event, until the client leaves, or for
   * `maxMs`.
   */
  async run(maxMs: number): Promise<void> {
    const endsAt = performance.now() + maxMs;
    const over = () => !this.#sink.open || performance.now() >= endsAt;
    await this.#sink.write(RETRY);
    for (;;) {
      await this.#flush();
      if (this.#feed.ended || over()) break;
      if (!this.#feed.more) await this.#bell.wait(Math.min(POLL_MS, endsAt - performance.now()));
      if (over()) break;
      if (this.#sink.quietMs >= KEEP_ALIVE_MS) await this.#sink.write(KEEP_ALIVE);
      await this.#next();
    }
    this.#sink.end();
  }

  #take(events: StreamEvent[]): boolean {
    this.#unwritten = events.map(eventText).join("");
    return events.length > 0;
  }

  #flush(): Promise<void> {
    const text = this.#unwritten + this.#passing;
    [this.#unwritten, this.#passing] = ["", ""];
    return this.#sink.write(text);
  }

  async #next(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      const { code } = failureOf(error);
      // The stream ends when the caller has lost the right to read. Temporary failures are retried.
      if (ERRORS[code].status < 500) this.#sink.end();
      else this.#warn("Event streams could not be read; Weft tries again.", error);
    }
  }

  async #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#renewedAt >= RENEW_MS) {
      this.#renewedAt = now;
      await this.#caller.renew();
    }
    if (now - this.#checkedAt < FINISHED_CHECK_MS) return void (await this.#read(now));
    this.#checkedAt = now;
    const finished = await this.#feed.finished();
    if (!(await this.#read(now)) && finished) this.#sink.end();
  }

  /** Returns whether there were any events. */
  async #read(now: number): Promise<boolean> {
    const { more, restMs } = this.#feed;
    if (!this.#news && !more && now - this.#readAt < restMs) return false;
    this.#news = false;
    try {
      const any = this.#take(await this.#feed.read());
      this.#readAt = now;
      return any;
    } catch (error) {
      this.#news = true;
      throw error;
    }
  }
}
