import { setTimeout as sleep } from "node:timers/promises";
import { MongoBulkWriteError, MongoServerError } from "mongodb";
import { StoreBusyError } from "../errors.ts";

/**
 * MongoDB's WriteConflict, and what servers on DocumentDB report for a serialization failure and for a deadlock: the
 * SQLSTATEs 40001 and 40P01 of PostgreSQL as numbers. Two inserts of the same unique key can deadlock there.
 */
const CONFLICTS = new Set([112, 16_777_220, 16_908_292]);
const MAX_ATTEMPTS = 7;
const FIRST_PAUSE_MS = 50;

/** Whether the server rolled back the write of one document, because of a write at the same time. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof MongoServerError && !(error instanceof MongoBulkWriteError) && CONFLICTS.has(Number(error.code));

/**
 * Sends a write of one document, and sends it again when the server rolled it back, after a random pause that doubles:
 * attempts that come at the same moment again would deadlock again.
 * @throws {StoreBusyError} when the server rolled back the seventh attempt too. Nothing was written.
 */
export async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isRolledBack(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new StoreBusyError("writes of the same document kept conflicting");
      await sleep((0.5 + Math.random()) * FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
