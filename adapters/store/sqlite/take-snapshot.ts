import { closeSync, openSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { BUSY_TIMEOUT_MS } from "./connection.ts";

/** 8 MiB: how much is copied before others get their turn, and before the copy can be given up. */
const STEP_PAGES = 2048;

/**
 * Copies a store's file as it is at this moment into a new one, readable by its owner only. Whoever works on it goes on
 * reading and writing; its write-ahead log only grows meanwhile. What `onStep` throws gives the copy up.
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
    // A transaction holds the moment: without it, each write of another process would have the copy begin anew.
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

/** Makes a copy one plain file that nobody is on. */
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
