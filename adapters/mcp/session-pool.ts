import type { TimeLimit } from "../net/time-limit.ts";
import { McpError } from "./mcp-error.ts";
import type { McpTarget } from "./port.ts";
import type { Session } from "./session.ts";

export interface PoolLimits {
  /** Maximum number of open sessions. */
  maxSessions: number;
  /** Maximum number of concurrent calls over one session. */
  maxCallsPerSession: number;
  /** Maximum number of calls that wait for a session. Further calls fail with mcp_busy. */
  maxWaiting: number;
  /** How long a call waits for a session, in ms. Then it fails with mcp_busy. */
  busyWaitMs: number;
  /** A session without calls is closed after this time, in ms. */
  idleMs: number;
  /** The same for a session that listens for changes. */
  listeningIdleMs: number;
}

interface Entry {
  key: string;
  revision: string;
  opening: Promise<Session>;
  session?: Session;
  users: number;
  /** Ends the calls over the session, with the reason as their error. */
  abort: AbortController;
  idle?: NodeJS.Timeout;
}

/**
 * Opens a session.
 * @throws {McpError} when that fails.
 */
export type OpenSession = (target: McpTarget, signal: AbortSignal) => Promise<Session>;

/**
 * The verdict on a failed attempt: whether to discard the session, and whether to repeat the call over another session.
 */
export interface Verdict {
  discard: boolean;
  again: boolean;
}

/** Sessions by server, shared by calls. When there are too many, the least recently used idle session is closed. */
export class SessionPool {
  readonly #limits: PoolLimits;
  readonly #open: OpenSession;
  /** The sessions for new calls, most recently used last. */
  readonly #current = new Map<string, Entry>();
  /** All sessions that are not yet closed, including replaced ones. */
  readonly #all = new Set<Entry>();
  readonly #closing = new Set<Promise<void>>();
  readonly #waiting = new Set<() => void>();

  constructor(open: OpenSession, limits: PoolLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  /** The number of sessions that are open or opening. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Runs over the session of a server. If `judge` says so, it runs a second time over a new session. `fresh` means that
   * the session was opened for this call.
   * @throws {McpError} `mcp_busy` when no session is free in time; also the errors of `run` and of opening.
   */
  async use<T>(
    target: McpTarget,
    limit: TimeLimit,
    run: (session: Session) => Promise<T>,
    judge: (error: unknown, session: Session | undefined, fresh: boolean) => Verdict,
  ): Promise<T> {
    for (let tries = 0; ; tries++) {
      const { entry, fresh } = await this.#enter(target, limit);
      try {
        const session = await limit.race(untilAborted(entry.opening, entry.abort.signal));
        session.adopt(target);
        return await limit.race(untilAborted(run(session), entry.abort.signal));
      } catch (error) {
        const { discard, again } = judge(error, entry.session, fresh);
        if (discard) this.#retire(entry);
        if (!again || tries > 0 || limit.signal.aborted) throw error;
      } finally {
        this.#leave(entry);
      }
    }
  }

  /** Ends the sessions of a server. The calls over them fail with the reason. */
  async forget(key: string, reason: McpError): Promise<void> {
    await this.#endAll(
      [...this.#all].filter(entry => entry.key === key),
      reason,
    );
  }

  /** Ends all sessions, and waits for those that are already closing. */
  async close(reason: McpError): Promise<void> {
    await this.#endAll([...this.#all], reason);
  }

  async #endAll(entries: Entry[], reason: McpError): Promise<void> {
    for (const entry of entries) {
      entry.abort.abort(reason);
      this.#retire(entry);
      this.#shut(entry);
    }
    await Promise.all(this.#closing);
  }

  async #enter(target: McpTarget, limit: TimeLimit): Promise<{ entry: Entry; fresh: boolean }> {
    const { maxSessions, maxCallsPerSession, busyWaitMs } = this.#limits;
    const until = performance.now() + busyWaitMs;
    for (;;) {
      limit.signal.throwIfAborted();
      const entry = this.#current.get(target.key);
      if (entry && (entry.revision !== target.revision || entry.session?.isHealthy === false)) this.#retire(entry);
      else if (entry && entry.users < maxCallsPerSession) return { entry: this.#join(entry), fresh: false };
      else if (!entry && (this.#all.size < maxSessions || this.#evict()))
        return { entry: this.#join(this.#create(target)), fresh: true };
      else await this.#turn(limit, until);
    }
  }

  #create(target: McpTarget): Entry {
    const abort = new AbortController();
    const opening = this.#open(target, abort.signal);
    const entry: Entry = { key: target.key, revision: target.revision, opening, users: 0, abort };
    opening.then(
      session => {
        entry.session = session;
        if (!this.#all.has(entry)) this.#end(session);
      },
      () => this.#retire(entry),
    );
    this.#all.add(entry);
    return entry;
  }

  #join(entry: Entry): Entry {
    clearTimeout(entry.idle);
    entry.users++;
    this.#current.delete(entry.key);
    this.#current.set(entry.key, entry);
    return entry;
  }

  #leave(entry: Entry): void {
    entry.users--;
    const isCurrent = this.#current.get(entry.key) === entry;
    if (entry.users === 0 && (!isCurrent || !entry.session)) this.#retire(entry);
    else if (entry.users === 0) {
      const { idleMs, listeningIdleMs } = this.#limits;
      const wait = entry.session?.listens ? listeningIdleMs : idleMs;
      entry.idle = setTimeout(() => this.#retire(entry), wait).unref();
    }
    this.#wake();
  }

  /** Makes the session unavailable to new calls. It is closed when its last call ends. */
  #retire(entry: Entry): void {
    if (this.#current.get(entry.key) === entry) this.#current.delete(entry.key);
    if (entry.users === 0) this.#shut(entry);
  }

  #shut(entry: Entry): void {
    if (!this.#all.delete(entry)) return;
    clearTimeout(entry.idle);
    if (!entry.session) entry.abort.abort(new McpError("mcp_aborted", "The call was cancelled"));
    if (entry.session) this.#end(entry.session);
    this.#wake();
  }

  #end(session: Session): void {
    const ending = session.end().finally(() => this.#closing.delete(ending));
    this.#closing.add(ending);
  }

  #evict(): boolean {
    for (const entry of this.#current.values()) {
      if (entry.users > 0) continue;
      this.#retire(entry);
      return true;
    }
    return false;
  }

  async #turn(limit: TimeLimit, until: number): Promise<void> {
    const busy = () => new McpError("mcp_busy", "Too many calls to tool servers are in progress: try again later");
    const left = until - performance.now();
    if (this.#waiting.size >= this.#limits.maxWaiting || left <= 0) throw busy();
    let wake = () => {};
    let timer: NodeJS.Timeout | undefined;
    const turn = new Promise<void>(done => {
      wake = done;
      timer = setTimeout(done, left).unref();
    });
    this.#waiting.add(wake);
    try {
      await limit.race(turn);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(wake);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
