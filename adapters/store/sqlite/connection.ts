import { DatabaseSync } from "node:sqlite";
import type { ThreadSettings } from "./protocol.ts";

export const BUSY_TIMEOUT_MS = 5000;
const OPEN_ATTEMPTS = 100;
const SQLITE_BUSY = 5;

/** SQLite's primary result code of an error, or null for other errors. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error ? (error as { errcode?: unknown }).errcode : undefined;
  return typeof code === "number" ? code & 0xff : null;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

export const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Opens a connection for writing. It needs its own thread, because it blocks while another process holds the file. */
export function openWritable({ file, sync }: ThreadSettings): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  retryBusy(() => {
    // The change to WAL needs exclusive access for a moment, which the busy timeout does not cover.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${sync === "full" ? "FULL" : "NORMAL"}`);
    // Another thread makes checkpoints, so that a commit never waits for one.
    database.exec("PRAGMA wal_autocheckpoint = 0");
    database.exec("PRAGMA journal_size_limit = 67108864");
    database.exec("PRAGMA cache_size = -16384");
  });
  return database;
}

/** About ten seconds, including the busy timeout of each attempt. */
const BEGIN_ATTEMPTS = 2;

export const beginImmediate = (database: DatabaseSync): void =>
  retryBusy(() => database.exec("BEGIN IMMEDIATE"), BEGIN_ATTEMPTS);

/** Runs `work` atomically. */
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

/**
 * Repeats `attempt` while another process holds the file.
 * @throws the last error after the last attempt.
 */
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
