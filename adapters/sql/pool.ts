import { createFairQueue } from "../processes/fair-queue.ts";
import { SqlError, type SqlSession } from "./port.ts";

interface Waiter {
  group: string;
  take(session: SqlSession): void;
  fail(error: Error): void;
}

interface PoolLimits {
  /** The most connections at a time. */
  max: number;
  /** How long an unused connection is kept, in ms. */
  idleMs: number;
}

const MAX_WAITING = 10_000;

const closed = () =>
  new SqlError("The connections to the database are closed.", { code: "connection_lost", lost: true, retryable: true });

/**
 * The connections of one credential. Those who wait take turns by group, so a run with many steps does not keep others
 * waiting.
 */
export class SqlPool {
  readonly #open: () => Promise<SqlSession>;
  readonly #limits: PoolLimits;
  readonly #waiting = createFairQueue<Waiter>(MAX_WAITING);
  readonly #idle: { session: SqlSession; since: number }[] = [];
  readonly #busy = new Set<SqlSession>();
  /** Connections that are being opened or reset. */
  #coming = 0;
  #isClosed = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(open: () => Promise<SqlSession>, limits: PoolLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  /** No connection is open or on its way, and no one waits for one. */
  get isEmpty(): boolean {
    return this.#idle.length + this.#busy.size + this.#coming === 0 && this.#waiting.ready(() => Infinity) === 0;
  }

  get size(): number {
    return this.#idle.length + this.#busy.size + this.#coming;
  }

  /**
   * Lends a connection. `fresh` asks for one that was not used before.
   * @throws {SqlError} when no connection can be opened, or too many callers wait; {OutboundError}; what `work` throws
   */
  async use<T>(
    group: string,
    signal: AbortSignal,
    work: (session: SqlSession) => Promise<T>,
    fresh = false,
  ): Promise<T> {
    if (fresh) this.#closeIdle(0);
    const session = await this.#lend(group, signal);
    try {
      return await work(session);
    } finally {
      this.#takeBack(session);
    }
  }

  /** Ends unused connections now, and the others when their work is done. Those who wait still get theirs. */
  retire(): void {
    this.#isClosed = true;
    this.#closeIdle(0);
  }

  /** Ends all connections. */
  close(): void {
    this.retire();
    for (let waiter = this.#waiting.shift(); waiter; waiter = this.#waiting.shift()) waiter.fail(closed());
    for (const session of this.#busy) session.close();
  }

  #lend(group: string, signal: AbortSignal): Promise<SqlSession> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.remove(group, waiter);
        reject(new SqlError("The step was ended.", { code: "aborted", lost: true }));
      };
      const settle = () => signal.removeEventListener("abort", abort);
      const waiter: Waiter = {
        group,
        take: session => {
          settle();
          this.#busy.add(session);
          resolve(session);
        },
        fail: error => {
          settle();
          reject(error);
        },
      };
      if (signal.aborted) return abort();
      if (!this.#waiting.push(group, waiter)) {
        const told = "Too many steps wait for a connection to the database.";
        return reject(new SqlError(told, { code: "unavailable", retryable: true }));
      }
      signal.addEventListener("abort", abort);
      this.#serve();
    });
  }

  /** Gives connections to those who wait, and opens as many as are missing. */
  #serve(): void {
    for (let idle = this.#idle.at(-1); idle; idle = this.#idle.at(-1)) {
      if (idle.session.isLost) {
        this.#idle.pop();
        continue;
      }
      const waiter = this.#waiting.shift();
      if (!waiter) break;
      this.#idle.pop();
      waiter.take(idle.session);
    }
    const wanted = this.#waiting.ready(() => Infinity) - this.#coming;
    const room = this.#limits.max - this.#busy.size - this.#idle.length - this.#coming;
    for (let n = 0; n < Math.min(wanted, room); n++) void this.#add(this.#open());
  }

  /** Takes in a connection when it is ready. */
  async #add(coming: Promise<SqlSession>): Promise<void> {
    this.#coming++;
    try {
      const session = await coming;
      this.#coming--;
      const waiter = this.#waiting.shift();
      if (waiter) waiter.take(session);
      else if (this.#isClosed) session.close();
      else this.#keep(session);
    } catch (error) {
      this.#coming--;
      // Where the server has no room for more connections, those who wait get one of ours.
      const canWait = error instanceof SqlError && error.crowded && this.#busy.size + this.#coming > 0;
      if (canWait) return;
      this.#waiting.shift()?.fail(error as Error);
      this.#serve();
    }
  }

  #takeBack(session: SqlSession): void {
    this.#busy.delete(session);
    if (session.isLost || (this.#isClosed && this.#waiting.ready(() => Infinity) === 0)) {
      session.close();
      this.#serve();
      return;
    }
    const reset = session.reset().then(
      () => session,
      () => undefined,
    );
    this.#coming++;
    void reset.then(again => {
      this.#coming--;
      if (again) void this.#add(Promise.resolve(again));
      else this.#serve();
    });
  }

  #keep(session: SqlSession): void {
    this.#idle.push({ session, since: Date.now() });
    this.#sweep ??= setInterval(() => this.#closeIdle(this.#limits.idleMs), this.#limits.idleMs / 2).unref();
  }

  #closeIdle(longerThanMs: number): void {
    const before = Date.now() - longerThanMs;
    // The oldest are first.
    while (this.#idle[0] && (this.#idle[0].since <= before || this.#idle[0].session.isLost))
      this.#idle.shift()?.session.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
