import { DatabaseSync } from "node:sqlite";
import { StoreError, StoreUnavailableError } from "../errors.ts";

/** Somebody has the file open. */
export class FileInUseError extends StoreError {
  constructor(file: string) {
    super("file_in_use", `${file} is in use: a Weft runs on it, or another command does`);
  }
}

const SQLITE_BUSY = 5;

/**
 * Opens a store's file for this process alone, until the connection is closed. Whether anybody else is there is told by
 * SQLite's lock on the file, which everybody holds who has it open and which the system takes back from whoever is killed:
 * so it is known at once, and nobody can come meanwhile. The connection is in a transaction. FileInUseError,
 * StoreUnavailableError for what is no store's file.
 */
export function takeAlone(file: string): DatabaseSync {
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

/** Puts what is in the write-ahead log into the file of `takeAlone`, which is then all there is. */
export const foldLog = (database: DatabaseSync): void =>
  database.exec("ROLLBACK; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
