import { isUniqueConflict } from "../adapters/store/errors.ts";
import { AppError } from "../contracts/errors.ts";
import { insertOnce } from "./insert-once.ts";

/**
 * The error for a record that refers to something that the workspace lacks: the archive is incomplete, or in another
 * order.
 */
export const missingInArchive = (what: string): AppError =>
  new AppError("validation_failed", { detail: `The record refers to a ${what} that is not in the workspace.` });

/**
 * Inserts the documents of an archive record. `former` finds what an earlier request inserted.
 * @returns whether it was inserted now
 * @throws {AppError} conflict while a previous document with this id is being deleted
 */
export async function insertRecordOnce(
  insert: () => Promise<unknown>,
  former: () => Promise<unknown>,
): Promise<boolean> {
  try {
    return (await insertOnce(insert, former)) === null;
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    throw new AppError("conflict", {
      detail: "This resource was deleted a moment ago. Import the archive again later.",
    });
  }
}
