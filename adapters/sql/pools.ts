import { createHash } from "node:crypto";
import type { GuardedConnect } from "../net/guarded-connect.ts";
import { openSession, type SqlKind } from "./open-session.ts";
import { SqlPool } from "./pool.ts";
import { SqlError, type SqlOutput, type SqlServer, type SqlWork } from "./port.ts";
import { SharedConnectionLimit } from "./shared-connection-limit.ts";

const IDLE_MS = 30_000;
/** The most pools that are kept while they are idle. */
const MAX_POOLS = 200;
/** How often a work is repeated on a new connection because an idle connection was lost. */
const MAX_STALE = 1;

export interface SqlPlace {
  /** The id of the credential. */
  id: string;
  workspaceId: string;
  kind: SqlKind;
  server: SqlServer;
  /** The longest wait for a connection, in ms. */
  waitMs: number;
  /** The group that takes turns with other groups: a run. */
  group: string;
}

interface Kept {
  digest: string;
  pool: SqlPool;
}

/** This process's database connections: a pool for each credential. */
export class SqlPools {
  readonly #connect: GuardedConnect;
  readonly #max: number;
  readonly #room: SharedConnectionLimit;
  readonly #pools = new Map<string, Kept>();

  /** `max` is the limit of one pool, and `total` the limit of all pools together. */
  constructor({ connect, max, total }: { connect: GuardedConnect; max: number; total: number }) {
    this.#connect = connect;
    this.#max = max;
    this.#room = new SharedConnectionLimit(total);
  }

  /**
   * Performs work on a connection of the credential's pool.
   * @throws {SqlError} when the work fails
   * @throws {OutboundError} when the guard refuses the address; also the errors of the work's `begun`
   */
  async run(place: SqlPlace, work: SqlWork): Promise<SqlOutput[]> {
    const { group, waitMs } = place;
    const turn = { group, waitMs, signal: work.signal };
    for (let stale = 0; ; stale++) {
      try {
        const pool = this.#poolOf(place);
        return await pool.use(turn, session => session.run(work), stale > 0);
      } catch (error) {
        // A connection that the server or network ended while it was idle is only noticed at its next use.
        const isStale = error instanceof SqlError && error.code === "connection_lost" && !error.begun;
        if (!isStale || stale >= MAX_STALE || work.signal.aborted) throw error;
      }
    }
  }

  /** Call this when the credential has changed or is gone. Its connections end when their work is done. */
  retire(id: string): void {
    this.#pools.get(id)?.pool.retire();
    this.#pools.delete(id);
  }

  close(): void {
    for (const { pool } of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  #poolOf({ id, workspaceId, kind, server }: SqlPlace): SqlPool {
    const digest = createHash("sha256")
      .update(JSON.stringify([kind, server]))
      .digest("base64");
    const known = this.#pools.get(id);
    if (known?.digest === digest) return known.pool;
    if (known) this.retire(id);
    if (this.#pools.size >= MAX_POOLS) this.#forgetEmpty();
    const limits = { max: this.#max, room: this.#room, owner: workspaceId, idleMs: IDLE_MS };
    const pool = new SqlPool(() => openSession(kind, server, this.#connect), limits);
    this.#pools.set(id, { digest, pool });
    return pool;
  }

  #forgetEmpty(): void {
    for (const [id, { pool }] of this.#pools) if (pool.isEmpty) this.retire(id);
  }
}
