import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerError,
} from "mongodb";
import {
  InvalidChangeError,
  InvalidDocumentError,
  isProgrammingError,
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
  UniqueConflictError,
} from "../errors.ts";
import type { Layout } from "../layout.ts";
import { portPath } from "./mongo-filter.ts";
import { PartlyRefusedError } from "./write-conflicts.ts";

const DUPLICATE_KEY = 11000;
const TYPE_MISMATCH = 14;
const TOO_LARGE = new Set([10334, 17280, 17419, 17420]);
const TIMED_OUT = new Set([50, 64, 262]);

const NO_SUCH_USER = 18;
/** The cursor was not found or was killed, or its server is no longer primary or shuts down. */
const CURSOR_LOST = new Set([43, 237, 91, 189, 10107, 11600, 11602, 13435]);

/** Whether a read ended early because its cursor was lost with its server. A read from the start may succeed. */
export const isCursorLost = (error: unknown): boolean =>
  error instanceof MongoServerError
    ? CURSOR_LOST.has(Number(error.code))
    : error instanceof MongoNetworkError && !(error instanceof MongoNetworkTimeoutError);

/** The reason for a missing connection, in one line that contains no part of the address except hosts. */
export function unreachable(error: unknown): string {
  if (error instanceof MongoServerError && error.code === NO_SUCH_USER)
    return "MongoDB refuses the user name or password of MONGODB_URI";
  return `cannot reach MongoDB: ${(error as Error).message.split("\n", 1)[0]}`;
}

/** Translates a driver's error to an error of the port. A bug in the code is returned unchanged. */
export function storeErrorOf(layout: Layout | null, error: unknown): Error {
  if (error instanceof StoreError || isProgrammingError(error)) return error as Error;
  const message = error instanceof Error ? error.message : String(error);
  const name = layout?.name ?? "the store";
  const failures = failuresIn(error);
  if (failures) {
    // When a batch has other failures besides conflicts, the others matter more.
    const worst = failures.find(({ code }) => code !== DUPLICATE_KEY) ?? failures[0];
    if (layout && worst?.code === DUPLICATE_KEY) {
      const places = failures.map(({ index }) => index).sort((a, b) => a - b);
      return new UniqueConflictError(name, conflictFields(layout, worst), places);
    }
    if (worst?.code === TYPE_MISMATCH) return new InvalidChangeError(`${name}: ${worst.text}`);
    if (TOO_LARGE.has(worst?.code ?? 0)) return new InvalidDocumentError(`${name}: ${worst?.text}`);
    if (TIMED_OUT.has(worst?.code ?? 0)) return new StoreTimeoutError();
  }
  if (error instanceof MongoNetworkTimeoutError || error instanceof MongoOperationTimeoutError)
    return new StoreTimeoutError();
  return new StoreUnavailableError(`${name}: ${message}`, { cause: error });
}

interface Failure {
  index: number;
  code: number;
  text: string;
  /** The keys of the index in conflict, if the driver reports them. */
  keyPattern?: object;
}

function said({ code, message, ...more }: MongoServerError): Failure {
  const { keyPattern } = more as { keyPattern?: object };
  return { index: 0, code: Number(code), text: message, ...(keyPattern && { keyPattern }) };
}

/** Every failure that the server reported; null if the error is not from a server. */
function failuresIn(error: unknown): Failure[] | null {
  if (error instanceof PartlyRefusedError) return [...error.refused];
  if (error instanceof MongoBulkWriteError) return failuresOf(error);
  return error instanceof MongoServerError ? [said(error)] : null;
}

/**
 * The failures of a batch: one per document, and one if the other documents lack a majority. Without any of these, the
 * error that kept the batch from the server.
 */
function failuresOf(error: MongoBulkWriteError): Failure[] {
  const refused = [error.writeErrors].flat().map(({ index, code, errmsg }) => ({ index, code, text: errmsg ?? "" }));
  const unsure = error.result.getWriteConcernError();
  if (unsure) refused.push({ index: 0, code: unsure.code ?? 0, text: unsure.errmsg ?? "" });
  return refused.length > 0 ? refused : [said(error)];
}

/** For a batch, only the message names the index: "… index: NAME dup key: …". */
function conflictFields(layout: Layout, { keyPattern, text }: Failure): string[] {
  if (keyPattern) return Object.keys(keyPattern).map(portPath);
  const name = /index: (\S+)/.exec(text)?.[1] ?? "";
  const index = layout.indexes.find(candidate => candidate.name === name);
  return index ? index.keys.map(([path]) => path) : ["id"];
}
