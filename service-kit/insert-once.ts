import { isUniqueConflict } from "../adapters/store/errors.ts";

/**
 * Inserts a document whose id is the same on every try (`newId`). If an earlier try was interrupted after its write,
 * the insert is refused, and `former` finds what that try stored. Returns null after an insert.
 * @throws the refusal if `former` finds nothing, and other errors of both
 */
export async function insertOnce<T>(
  insert: () => Promise<unknown>,
  former: () => Promise<T | null>,
): Promise<T | null> {
  try {
    await insert();
    return null;
  } catch (error) {
    const found = isUniqueConflict(error) ? await former() : null;
    if (found === null) throw error;
    return found;
  }
}
