import { DatabaseSync } from "node:sqlite";
import { StoreError, StoreUnavailableError } from "../errors.ts";

/** Another process has the file open. */
export class FileInUseError extends StoreError {
  constructor(file: string) {
    super("file_in_use", `${file} is in use: a Weft runs on it, or another command does`);
  }
}

const SQLITE_BUSY = 5;

/**
 * Opens a store's file for exclusive use, until the connection is closed. Every process with the file open holds
 * SQLite's lock on it, and the system releases the lock of a killed process. So other users are detected immediately,
 * and none can come meanwhile. The connection is in a transaction.
 * @throws {FileInUseError} when another process has the file open.
 * @throws {StoreUnavailableError} when the file is not a store's file.
 */
export function openExclusively(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    if (((errcode ?? 0) & 0xff) === SQLITE_BUSY) throw new FileInUseError(file);
    throw new StoreUnavailableError(`${file}: ${message}`, { cause: error });
  }
}

/** Moves the write-ahead log into the file of `openExclusively`, which then contains everything. */
export const checkpointLog = (database: DatabaseSync): void =>
  database.exec("ROLLBACK; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
