import { mongo } from "mongoose";
import {
  InvalidChangeError,
  InvalidDocumentError,
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
  UniqueConflictError,
} from "../errors.ts";
import type { Layout } from "../layout.ts";

const DUPLICATE_KEY = 11000;
const TYPE_MISMATCH = 14;
const TOO_LARGE = new Set([10334, 17280, 17419, 17420]);
const TIMED_OUT = new Set([50, 64, 262]);

const NO_SUCH_USER = 18;

/** Why there is no connection, in one line without any part of the address but hosts. */
export function unreachable(error: unknown): string {
  if (error instanceof mongo.MongoServerError && error.code === NO_SUCH_USER)
    return "MongoDB refuses the user name or password of MONGODB_URI";
  return `cannot reach MongoDB: ${(error as Error).message.split("\n", 1)[0]}`;
}

/** The port's error for one of the driver's. */
export function storeErrorOf(layout: Layout | null, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const name = layout?.name ?? "the store";
  if (layout && error instanceof mongo.MongoBulkWriteError) {
    const failures = [error.writeErrors].flat();
    const conflicts = failures.filter(failure => failure.code === DUPLICATE_KEY);
    const [first] = conflicts;
    if (first && conflicts.length === failures.length) {
      const places = conflicts.map(({ index }) => index).sort((a, b) => a - b);
      return new UniqueConflictError(name, conflictFields(layout, first.errmsg ?? ""), places);
    }
  }
  if (error instanceof mongo.MongoServerError) {
    if (layout && error.code === DUPLICATE_KEY) return new UniqueConflictError(name, conflictFields(layout, message));
    if (error.code === TYPE_MISMATCH) return new InvalidChangeError(`${name}: ${message}`);
    if (TOO_LARGE.has(Number(error.code))) return new InvalidDocumentError(`${name}: ${message}`);
    if (TIMED_OUT.has(Number(error.code))) return new StoreTimeoutError();
  }
  if (error instanceof mongo.MongoNetworkTimeoutError || error instanceof mongo.MongoOperationTimeoutError)
    return new StoreTimeoutError();
  return new StoreUnavailableError(`${name}: ${message}`, { cause: error });
}

/** MongoDB says "… index: NAME dup key: …". */
function conflictFields(layout: Layout, message: string): string[] {
  const name = /index: (\S+)/.exec(message)?.[1] ?? "";
  const index = layout.indexes.find(candidate => candidate.name === name);
  return index ? index.keys.map(([path]) => path) : ["id"];
}
