import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

export interface Hold {
  release(): void;
}

/**
 * Holds a file, which is created if it is missing. Only one process at a time can hold it. Null if another process
 * does. The system releases the hold when the process ends in any way.
 * @throws the errors of SQLite.
 */
export function holdFile(file: string): Hold | null {
  const held = new DatabaseSync(file, { timeout: 0 });
  try {
    // Avoids a journal file next to it.
    held.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    held.close();
    if (((error as { errcode?: number }).errcode ?? 0) === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => held.close() };
}
