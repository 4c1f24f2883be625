import { createHash } from "node:crypto";
import type { GuardedConnect } from "../net/guarded-connect.ts";
import { openMysql } from "./mysql.ts";
import { SqlPool } from "./pool.ts";
import { type OpenSession, SqlError, type SqlOutput, type SqlServer, type SqlWork } from "./port.ts";
import { openPostgres } from "./postgres.ts";

export type SqlKind = "postgres" | "mysql";

const OPEN: Record<SqlKind, OpenSession> = { postgres: openPostgres, mysql: openMysql };
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** Pools that are kept although no one uses them now. */
const MAX_POOLS = 200;
/** Connections that were lost while no one used them, before a work begins on a new one. */
const MAX_STALE = 1;

export interface SqlPlace {
  /** The id of the credential. */
  id: string;
  kind: SqlKind;
  server: SqlServer;
  /** Who takes turns with others: a run. */
  group: string;
}

interface Kept {
  digest: string;
  pool: SqlPool;
}

/** The connections of this process to databases: a pool for each credential. */
export class SqlPools {
  readonly #connect: GuardedConnect;
  readonly #max: number;
  readonly #pools = new Map<string, Kept>();

  constructor({ connect, max }: { connect: GuardedConnect; max: number }) {
    this.#connect = connect;
    this.#max = max;
  }

  /**
   * Performs a work on a connection of the credential's pool.
   * @throws {SqlError}, {OutboundError}, and what the work's `begun` throws
   */
  async run(place: SqlPlace, work: SqlWork): Promise<SqlOutput[]> {
    for (let stale = 0; ; stale++) {
      try {
        const pool = this.#poolOf(place);
        return await pool.use(place.group, work.signal, session => session.run(work), stale > 0);
      } catch (error) {
        // A server or a network that ends unused connections is noticed when one is used again.
        const isStale = error instanceof SqlError && error.code === "connection_lost" && !error.begun;
        if (!isStale || stale >= MAX_STALE || work.signal.aborted) throw error;
      }
    }
  }

  /** The credential has changed or is gone: its connections end when their work is done. */
  retire(id: string): void {
    this.#pools.get(id)?.pool.retire();
    this.#pools.delete(id);
  }

  close(): void {
    for (const { pool } of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  #poolOf({ id, kind, server }: SqlPlace): SqlPool {
    const digest = createHash("sha256")
      .update(JSON.stringify([kind, server]))
      .digest("base64");
    const known = this.#pools.get(id);
    if (known?.digest === digest) return known.pool;
    if (known) this.retire(id);
    if (this.#pools.size >= MAX_POOLS) this.#forgetEmpty();
    const { host, port } = server;
    const openSocket = () => this.#connect({ host, port, timeoutMs: CONNECT_MS });
    const pool = new SqlPool(() => OPEN[kind](server, openSocket), { max: this.#max, idleMs: IDLE_MS });
    this.#pools.set(id, { digest, pool });
    return pool;
  }

  #forgetEmpty(): void {
    for (const [id, { pool }] of this.#pools) if (pool.isEmpty) this.#pools.delete(id);
  }
}
