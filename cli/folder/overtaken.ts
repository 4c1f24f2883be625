import type { Planned } from "../../core/exchange/folder-plan.ts";
import { WeftError } from "../../sdk/index.ts";
import type { Remote } from "./space.ts";

/** It changed on the server after it was compared. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

const hasCode = (error: unknown, code: string): boolean => error instanceof WeftError && error.code === code;

/** The result of a read; undefined for what does not exist. */
export async function unlessGone<T>(read: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (hasCode(error, "not_found")) return undefined;
    throw error;
  }
}

/** @throws {Overtaken} when the server has something else by now than what was compared */
export function mustBe({ there }: Planned, now: Remote | null | undefined): void {
  if (now?.sha256 !== there?.sha256) throw new Overtaken();
}

export async function create<T>(made: PromiseLike<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    if (hasCode(error, "slug_taken")) throw new Overtaken();
    throw error;
  }
}

/** Makes a change that depends on what was compared. @throws {Overtaken} when the service has something else by now */
export async function unlessOvertaken<T>(changed: PromiseLike<T>): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (hasCode(error, "precondition_failed") || hasCode(error, "not_found")) throw new Overtaken();
    throw error;
  }
}

/** `If-Match` for what was read. A service of an earlier version counts no changes, and ignores the header. */
export const asRead = ({ revision, version = revision }: { revision?: number | undefined; version?: number }) =>
  version === undefined ? {} : { ifMatch: `"${version}-push"` };
