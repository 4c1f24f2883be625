import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

export interface Hold {
  release(): void;
}

/**
 * Makes a file where there is none and holds it, one process at a time; null where another one does. The system lets go of it
 * when that process ends, however it does. Errors: those of SQLite.
 */
export function holdFile(file: string): Hold | null {
  const held = new DatabaseSync(file, { timeout: 0 });
  try {
    // Without a file of its own beside it.
    held.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    held.close();
    if (((error as { errcode?: number }).errcode ?? 0) === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => held.close() };
}
