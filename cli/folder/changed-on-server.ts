import type { Planned } from "../../core/exchange/folder-plan.ts";
import { WeftError } from "../../sdk/index.ts";
import type { Remote } from "./space.ts";

/** The object changed on the server after the comparison. */
export class ChangedOnServerError extends Error {
  override readonly name = "ChangedOnServerError";
}

const hasCode = (error: unknown, code: string): boolean => error instanceof WeftError && error.code === code;

/** The result of a read; undefined if the object does not exist. */
export async function orUndefinedIfMissing<T>(read: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (hasCode(error, "not_found")) return undefined;
    throw error;
  }
}

/** @throws {ChangedOnServerError} when the server's object has changed since the comparison */
export function ensureUnchanged({ there }: Planned, now: Remote | null | undefined): void {
  if (now?.sha256 !== there?.sha256) throw new ChangedOnServerError();
}

export async function createOnServer<T>(made: PromiseLike<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    if (hasCode(error, "slug_taken")) throw new ChangedOnServerError();
    throw error;
  }
}

/**
 * Makes a change that depends on the comparison.
 * @throws {ChangedOnServerError} when the server's object has changed since then
 */
export async function unlessChanged<T>(changed: PromiseLike<T>): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (hasCode(error, "precondition_failed") || hasCode(error, "not_found")) throw new ChangedOnServerError();
    throw error;
  }
}

/**
 * The `If-Match` value for the object that was read. Services of earlier versions do not count changes, and ignore the
 * header.
 */
export const ifMatchOf = ({ revision, version = revision }: { revision?: number | undefined; version?: number }) =>
  version === undefined ? {} : { ifMatch: `"${version}-push"` };
