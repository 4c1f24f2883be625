import { OutboundError } from "../net/outbound-error.ts";
import { createFairQueue } from "../processes/fair-queue.ts";
import { CONNECTIONS_BUSY, SqlError, type SqlSession } from "./port.ts";
import type { Member, SharedConnectionLimit } from "./shared-connection-limit.ts";

interface Waiter {
  group: string;
  take(session: SqlSession): void;
  fail(error: Error): void;
}

interface PoolLimits {
  /** The most connections at the same time. */
  max: number;
  /** The common limit of all pools. */
  room: SharedConnectionLimit;
  /** The workspace of the credential. */
  owner: string;
  /** How long an idle connection is kept, in ms. */
  idleMs: number;
}

const MAX_WAITING = 10_000;

/** A caller that waits for a connection. */
export interface ConnectionWaiter {
  /** The group that takes turns with other groups: a run. */
  group: string;
  signal: AbortSignal;
  /** The longest wait, in ms. */
  waitMs: number;
}

const busy = (why: string) => new SqlError(why, { code: CONNECTIONS_BUSY, retryable: true });

const closed = () =>
  new SqlError("The connections to the database are closed.", { code: "connection_lost", lost: true, retryable: true });

/**
 * The connections of one credential. Waiting callers take turns by group, so a run with many steps does not block
 * others.
 */
export class SqlPool implements Member {
  readonly owner: string;
  readonly #open: () => Promise<SqlSession>;
  readonly #limits: PoolLimits;
  readonly #waiting = createFairQueue<Waiter>(MAX_WAITING);
  readonly #idle: { session: SqlSession; since: number }[] = [];
  readonly #busy = new Set<SqlSession>();
  /** Connections that are being opened or reset. */
  #coming = 0;
  #isClosed = false;
  /** The server has refused another connection, and at least one of this pool's connections will be returned. */
  #isCrowded = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(open: () => Promise<SqlSession>, limits: PoolLimits) {
    this.#open = open;
    this.#limits = limits;
    this.owner = limits.owner;
    limits.room.join(this);
  }

  /** Whether no connection is open or being opened, and no caller waits. */
  get isEmpty(): boolean {
    return this.size === 0 && this.#queued === 0;
  }

  get isWanting(): boolean {
    return !this.#isCrowded && this.#queued > this.#coming && this.size < this.#limits.max;
  }

  get size(): number {
    return this.#idle.length + this.#busy.size + this.#coming;
  }

  get #queued(): number {
    return this.#waiting.ready(() => Infinity);
  }

  /**
   * Lends a connection. `fresh` asks for one that was not used before.
   * @throws {SqlError} when no connection can be opened or becomes free in time
   * @throws {OutboundError} when the guard refuses the address; also the errors of `work`
   */
  async use<T>(turn: ConnectionWaiter, work: (session: SqlSession) => Promise<T>, fresh = false): Promise<T> {
    if (fresh) this.#closeIdle(0);
    const session = await this.#lend(turn);
    try {
      return await work(session);
    } finally {
      this.#takeBack(session);
    }
  }

  /** Ends idle connections now, and the others when their work is done. Waiting callers still get a connection. */
  retire(): void {
    this.#isClosed = true;
    this.#closeIdle(0);
    this.#released();
  }

  /** Ends all connections. */
  close(): void {
    this.#isClosed = true;
    for (let waiter = this.#waiting.shift(); waiter; waiter = this.#waiting.shift()) waiter.fail(closed());
    for (const session of this.#busy) session.close();
    this.retire();
  }

  closeUnused(): boolean {
    const before = this.#idle.length;
    this.#idle.shift()?.session.close();
    return before > 0;
  }

  openOne(): void {
    void this.#add(this.#open());
  }

  #lend({ group, signal, waitMs }: ConnectionWaiter): Promise<SqlSession> {
    return new Promise((resolve, reject) => {
      const leave = (error: Error) => {
        this.#waiting.remove(group, waiter);
        waiter.fail(error);
      };
      const abort = () => leave(new SqlError("The step was ended.", { code: "aborted", lost: true }));
      const late = setTimeout(() => leave(this.#tooLong(waitMs)), waitMs);
      const settle = () => {
        clearTimeout(late);
        signal.removeEventListener("abort", abort);
      };
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
      if (!this.#waiting.push(group, waiter))
        return waiter.fail(busy("Too many steps wait for a connection to the database."));
      signal.addEventListener("abort", abort);
      this.#serve();
    });
  }

  /** Gives connections to waiting callers, and opens missing ones. */
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
    while (this.isWanting && this.#limits.room.hasRoom()) this.openOne();
  }

  #tooLong(waitMs: number): SqlError | OutboundError {
    const { max, room } = this.#limits;
    const own = this.size >= max;
    if (this.#busy.size === 0 && this.#coming > 0)
      return new OutboundError("outbound_timeout", `The database did not answer within ${Math.round(waitMs)} ms.`);
    const which = own
      ? `The ${max} connections to the database`
      : `The ${room.max} connections of the worker to databases`;
    return busy(`${which} are all in use, and none became free within ${Math.round(waitMs)} ms.`);
  }

  /** A connection has ended. Its place goes to the waiting pool with the fewest connections. */
  #released(): void {
    const { room } = this.#limits;
    if (this.#isClosed && this.isEmpty) room.leave(this);
    else room.freed();
  }

  /** Adds a connection when it is ready. */
  async #add(coming: Promise<SqlSession>): Promise<void> {
    this.#coming++;
    try {
      const session = await coming;
      this.#coming--;
      this.#isCrowded = false;
      const waiter = this.#waiting.shift();
      if (waiter) waiter.take(session);
      else if (this.#isClosed) this.#end(session);
      else this.#keep(session);
    } catch (error) {
      this.#coming--;
      // If the server accepts no more connections, waiting callers get one of the existing ones.
      this.#isCrowded = error instanceof SqlError && error.crowded && this.#busy.size + this.#coming > 0;
      if (!this.#isCrowded) this.#waiting.shift()?.fail(error as Error);
      this.#released();
    }
  }

  #end(session: SqlSession): void {
    session.close();
    this.#released();
  }

  #takeBack(session: SqlSession): void {
    const isOver = session.isLost || (this.#isClosed && this.#queued === 0);
    const ends = isOver || this.#limits.room.shouldYield(this);
    this.#busy.delete(session);
    this.#isCrowded = false;
    if (ends) return this.#end(session);
    const reset = session.reset().then(
      () => session,
      () => undefined,
    );
    this.#coming++;
    void reset.then(again => {
      this.#coming--;
      if (again) void this.#add(Promise.resolve(again));
      else this.#released();
    });
  }

  #keep(session: SqlSession): void {
    this.#idle.push({ session, since: Date.now() });
    this.#sweep ??= setInterval(() => this.#closeIdle(this.#limits.idleMs), this.#limits.idleMs / 2).unref();
    // Idle connections are not kept while other pools wait.
    this.#limits.room.freed();
  }

  #closeIdle(longerThanMs: number): void {
    const before = Date.now() - longerThanMs;
    // The oldest come first.
    while (this.#idle[0] && (this.#idle[0].since <= before || this.#idle[0].session.isLost))
      this.#idle.shift()?.session.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
