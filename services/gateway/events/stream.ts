import type { LogEntry } from "../../../contracts/entities/execution.ts";
import { ERRORS } from "../../../contracts/errors.ts";
import type { Warn } from "../../../mixins/seldom.ts";
import { failureOf } from "../problem.ts";
import { Bell } from "./bell.ts";
import { entryText, KEEP_ALIVE, RETRY } from "./entry-text.ts";
import type { Follower } from "./follower.ts";
import type { Sink } from "./sink.ts";

/** A hint can be lost, so the log is read at least this often. */
const POLL_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** A session or key that was ended ends its streams within a second, so every poll asks for it. */
const RENEW_MS = POLL_MS - 100;
/** A run that ended without an entry to tell it, as for a client that starts behind its last one, is noticed by then. */
const FINISHED_CHECK_MS = 5_000;

/** One client that follows one execution: what the follower reads, the sink writes. */
export class Stream {
  readonly #follower: Follower;
  readonly #sink: Sink;
  readonly #warn: Warn;
  readonly #bell = new Bell();
  #renewedAt = performance.now();
  #checkedAt = performance.now();

  constructor(follower: Follower, sink: Sink, warn: Warn) {
    this.#follower = follower;
    this.#sink = sink;
    this.#warn = warn;
  }

  /** The log has entries up to this seq. */
  heard(seq: number): void {
    if (seq > this.#follower.seq) this.#bell.ring();
  }

  end(): void {
    this.#sink.end();
    this.#bell.ring();
  }

  /** Writes these entries and those that come, until the last one, the client's leaving, or for `maxMs`. */
  async run(first: LogEntry[], maxMs: number): Promise<void> {
    const endsAt = performance.now() + maxMs;
    const over = () => !this.#sink.open || performance.now() >= endsAt;
    await this.#sink.write(RETRY);
    for (let entries = first; ; entries = await this.#next()) {
      for (const entry of entries) await this.#sink.write(entryText(entry));
      if (this.#follower.ended || over()) break;
      if (!this.#follower.more) await this.#bell.wait(Math.min(POLL_MS, endsAt - performance.now()));
      if (over()) break;
      if (this.#sink.quietMs >= KEEP_ALIVE_MS) await this.#sink.write(KEEP_ALIVE);
    }
    this.#sink.end();
  }

  async #next(): Promise<LogEntry[]> {
    try {
      return await this.#read();
    } catch (error) {
      const { code } = failureOf(error);
      // What the caller may no longer see ends; what cannot be read just now is asked for again.
      if (ERRORS[code].status < 500) this.#sink.end();
      else this.#warn("Event streams could not be read; it is tried again.", error);
      return [];
    }
  }

  async #read(): Promise<LogEntry[]> {
    const now = performance.now();
    if (now - this.#renewedAt >= RENEW_MS) {
      this.#renewedAt = now;
      await this.#follower.renew();
    }
    if (now - this.#checkedAt < FINISHED_CHECK_MS) return this.#follower.read();
    this.#checkedAt = now;
    const finished = await this.#follower.finished();
    const entries = await this.#follower.read();
    if (finished && entries.length === 0) this.#sink.end();
    return entries;
  }
}
