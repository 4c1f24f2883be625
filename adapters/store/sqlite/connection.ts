import { DatabaseSync } from "node:sqlite";
import type { ThreadSettings } from "./protocol.ts";

export const BUSY_TIMEOUT_MS = 5000;
const OPEN_ATTEMPTS = 100;
const SQLITE_BUSY = 5;

/** SQLite's primary result code of an error, or null where it is none of SQLite's. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error ? (error as { errcode?: unknown }).errcode : undefined;
  return typeof code === "number" ? code & 0xff : null;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

export const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A connection that writes, for a thread of its own: it blocks while another process holds the file. */
export function openWritable({ file, sync }: ThreadSettings): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  retryBusy(() => {
    // Going over to WAL needs the file alone for a moment, and the busy timeout does not cover that.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${sync === "full" ? "FULL" : "NORMAL"}`);
    // Checkpoints are made elsewhere, so that a commit never pays for one.
    database.exec("PRAGMA wal_autocheckpoint = 0");
    database.exec("PRAGMA journal_size_limit = 67108864");
    database.exec("PRAGMA cache_size = -65536");
  });
  return database;
}

/** With the busy timeout of each: about ten seconds. */
const BEGIN_ATTEMPTS = 2;

export const beginImmediate = (database: DatabaseSync): void =>
  retryBusy(() => database.exec("BEGIN IMMEDIATE"), BEGIN_ATTEMPTS);

/** All of `work` or nothing. */
export function transact(database: DatabaseSync, work: () => void): void {
  beginImmediate(database);
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Tries again while another process is in the way, for as long as attempts last; then throws what was thrown last. */
export function retryBusy<T>(attempt: () => T, attempts = OPEN_ATTEMPTS): T {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || --attempts <= 0) throw error;
      pause(20);
    }
  }
}
