import { ERRORS } from "../../../contracts/errors.ts";
import type { Warn } from "../../../mixins/throttled-warn.ts";
import { failureOf } from "../problem.ts";
import { Bell } from "./bell.ts";
import { eventText, KEEP_ALIVE, RETRY } from "./event-text.ts";
import type { Feed, StreamCaller, StreamEvent } from "./feed.ts";
import type { Sink } from "./sink.ts";

/** A hint can be lost, so a stream looks around at least this often. */
const POLL_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** A session or key that was ended ends its streams within a second, so every poll asks for it. */
const RENEW_MS = POLL_MS - 100;
/** A run that ended without an entry to tell it, as for a client that starts behind its last one, is noticed by then. */
const FINISHED_CHECK_MS = 5_000;

/** One client that follows something: what the feed reads, the sink writes. */
export class Stream {
  readonly #feed: Feed;
  readonly #caller: StreamCaller;
  readonly #sink: Sink;
  readonly #warn: Warn;
  readonly #bell = new Bell();
  /** What was read and is not written yet; kept nowhere else, as a client may take its time. */
  #unwritten = "";
  /** There is word of events that were not read yet. */
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

  /** There are events up to this one. */
  heard(seq: number): void {
    if (seq <= this.#feed.seq) return;
    this.#news = true;
    this.#bell.ring();
  }

  end(): void {
    this.#sink.end();
    this.#bell.ring();
  }

  /** Reads what there is by now; gives whether there is anything. Rejects where the caller may not read it. */
  async begin(): Promise<boolean> {
    return this.#take(await this.#feed.read());
  }

  /** Writes what was read and the events that come, until the last one, the client's leaving, or for `maxMs`. */
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
    const text = this.#unwritten;
    this.#unwritten = "";
    return this.#sink.write(text);
  }

  async #next(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      const { code } = failureOf(error);
      // What the caller may no longer see ends; what cannot be read just now is asked for again.
      if (ERRORS[code].status < 500) this.#sink.end();
      else this.#warn("Event streams could not be read; it is tried again.", error);
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

  /** Gives whether there was anything. */
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
