import { setTimeout as sleep } from "node:timers/promises";
import { MongoBulkWriteError, MongoServerError } from "mongodb";
import { StoreBusyError } from "../errors.ts";

const WRITE_CONFLICT = 112;
/** PostgreSQL's SQLSTATEs 40001 and 40P01 as numbers: a serialization failure, and a deadlock. */
const OF_POSTGRES = new Set([16_777_220, 16_908_292]);
const MAX_ATTEMPTS = 7;
const FIRST_PAUSE_MS = 50;

/**
 * MongoDB's WriteConflict, and the codes of servers based on DocumentDB. There, two inserts of the same unique key can
 * deadlock.
 */
const isConflict = (code: unknown): boolean => code === WRITE_CONFLICT || OF_POSTGRES.has(Number(code));

/** Whether the server rolled back a whole command because of a concurrent write. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof MongoServerError && !(error instanceof MongoBulkWriteError) && isConflict(error.code);

/** Whether the error means that all changes of a command were undone. On PostgreSQL, a command is one transaction. */
const isAllRolledBack = (error: unknown): boolean =>
  isRolledBack(error) && OF_POSTGRES.has(Number((error as MongoServerError).code));

/** A random pause that doubles. Attempts that repeat at the same moment would deadlock again. */
async function pauseAfter(attempt: number): Promise<void> {
  if (attempt === MAX_ATTEMPTS) throw new StoreBusyError("writes of the same documents kept conflicting");
  await sleep((0.5 + Math.random()) * FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

async function retry<T>(write: () => Promise<T>, isAgain: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isAgain(error)) throw error;
      await pauseAfter(attempt);
    }
  }
}

/**
 * Sends a write that may be repeated, such as that of one document or a removal. Sends it again if the server rolled it
 * back.
 * @throws {StoreBusyError} when the server rolled back the seventh attempt too.
 */
export const retryConflicts = <T>(write: () => Promise<T>): Promise<T> => retry(write, isRolledBack);

/**
 * Sends a change of many documents, and repeats it if the server undid all of it. A change that may have been partly
 * done is only repeated if it is `repeatable`: doing it twice is the same as doing it once. Otherwise it could, for
 * example, add to a number twice. MongoDB itself repeats the change of a conflicting document.
 * @throws {StoreBusyError} when the server rolled back the seventh attempt too.
 */
export const retryConflictsOfMany = <T>(write: () => Promise<T>, repeatable: boolean): Promise<T> =>
  retry(write, repeatable ? isRolledBack : isAllRolledBack);

interface Refused {
  /** The position in the batch. */
  index: number;
  code: number;
  text: string;
}

/** Some documents of a batch were refused. The others are inserted. */
export class PartlyRefusedError extends Error {
  override readonly name = "PartlyRefusedError";
  readonly refused: readonly Refused[];

  constructor(refused: readonly Refused[]) {
    super(`${refused.length} documents were refused`);
    this.refused = refused;
  }
}

/**
 * What remains of `sent` documents: the positions to send again, and the documents that the server refused.
 * @throws the error, if it is not a conflict
 */
function leftOf(error: unknown, sent: number): { again: number[]; refused: Refused[] } {
  const all = Array.from({ length: sent }, (_, index) => index);
  if (isRolledBack(error)) return { again: all, refused: [] };
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const told = error.result.getWriteErrors();
  // The driver sends a large batch in parts. A part that fails as a whole ends the batch, and its error says nothing
  // about its documents.
  const handled = error.insertedCount + told.length;
  if (handled < sent && !isConflict(error.code)) throw error;
  const again = told.filter(({ code }) => isConflict(code)).map(({ index }) => index);
  if (handled < sent) again.push(...all.slice(handled));
  const others = told.filter(({ code }) => !isConflict(code));
  return { again, refused: others.map(({ index, code, errmsg }) => ({ index, code, text: errmsg ?? "" })) };
}

/**
 * How many of the `sent` writes of an ordered command took effect before the one that the server rolled back. Later
 * writes were not attempted. If the server undid the whole command, none took effect. Null if the error is no conflict,
 * or does not say which write it concerns.
 */
function doneBefore(error: unknown): number | null {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return null;
  const [told] = error.result.getWriteErrors();
  if (told) return isConflict(told.code) ? told.index : null;
  // The driver sends a large batch in parts. The number of updates in earlier parts is unknown, unless none matched.
  return OF_POSTGRES.has(Number(error.code)) && error.matchedCount === 0 ? error.insertedCount : null;
}

/** The same failure, with positions among all writes instead of among those of the last attempt. */
function shifted(error: unknown, by: number): unknown {
  if (by === 0 || !(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return error;
  const told = error.result.getWriteErrors();
  if (told.length === 0) return error;
  return new PartlyRefusedError(
    told.map(({ index, code, errmsg }) => ({ index: index + by, code, text: errmsg ?? "" })),
  );
}

/**
 * Sends writes with `send`, which makes them in order up to the first failure. If the server rolled a write back, it
 * continues from there. Earlier writes are done and are not sent again.
 * @throws {StoreBusyError} when the server rolled back the seventh attempt too. A prefix of the writes is done then.
 */
export async function orderedDespiteConflicts<T>(writes: readonly T[], send: (writes: T[]) => Promise<unknown>) {
  let done = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      await send(writes.slice(done));
      return;
    } catch (error) {
      const more = doneBefore(error);
      if (more === null) throw shifted(error, done);
      done += more;
      await pauseAfter(attempt);
    }
  }
}

/**
 * Inserts a batch with `send`, which inserts as many documents as it can. Documents that the server rolled back are
 * sent again.
 * @throws {PartlyRefusedError} when the server refused documents
 * @throws {StoreBusyError} when it rolled some back in the seventh attempt too. The others are inserted.
 */
export async function insertDespiteConflicts<T>(docs: readonly T[], send: (docs: T[]) => Promise<unknown>) {
  const refused: Refused[] = [];
  let places = docs.map((_, place) => place);
  for (let attempt = 1; places.length > 0; attempt++) {
    try {
      await send(places.map(place => docs[place]!));
      break;
    } catch (error) {
      const left = leftOf(error, places.length);
      for (const one of left.refused) refused.push({ ...one, index: places[one.index]! });
      places = left.again.map(index => places[index]!);
      if (places.length > 0) await pauseAfter(attempt);
    }
  }
  if (refused.length > 0) throw new PartlyRefusedError(refused);
}
