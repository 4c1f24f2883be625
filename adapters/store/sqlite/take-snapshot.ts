import { closeSync, openSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { BUSY_TIMEOUT_MS } from "./connection.ts";

/** 8 MiB: how much is copied before other work gets a turn, and before the copy can be cancelled. */
const STEP_PAGES = 2048;

/**
 * Copies a store's file in its current state into a new file that only its owner can read. Other processes continue to
 * read and write. Only the write-ahead log grows meanwhile. An error of `onStep` cancels the copy.
 */
export async function takeSnapshot(
  from: string,
  to: string,
  onStep: (copiedBytes: number, allBytes: number) => void,
): Promise<void> {
  closeSync(openSync(to, "wx", 0o600));
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const { page_size: pageBytes } = source.prepare("PRAGMA page_size").get() as { page_size: number };
    // A transaction fixes the state. Without it, each write of another process would restart the copy.
    source.exec("BEGIN");
    source.prepare("SELECT count(*) FROM sqlite_schema").get();
    const pages = await backup(source, to, {
      rate: STEP_PAGES,
      progress: ({ totalPages, remainingPages }) =>
        onStep((totalPages - remainingPages) * pageBytes, totalPages * pageBytes),
    });
    onStep(pages * pageBytes, pages * pageBytes);
  } finally {
    source.close();
  }
  settle(to);
}

/** Makes the copy one plain file without registered processes. */
function settle(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const present = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'weft:processes'").get();
    if (present) copy.exec('DELETE FROM "weft:processes"');
  } finally {
    copy.close();
  }
}
