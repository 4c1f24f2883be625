import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The file in the data folder with the time of the last backup. */
const LAST_BACKUP = "last-backup";

/**
 * Records the time of a complete backup. The record may fail, because a backup is valid even if the folder is not
 * writable.
 */
export async function noteBackup(dataDir: string, at: string): Promise<void> {
  const path = join(dataDir, LAST_BACKUP);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${at}\n`, { mode: 0o600 })
    .then(() => rename(draft, path))
    .catch(() => undefined);
}

/** Null if no backup is known. */
export async function lastBackup(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, LAST_BACKUP), "utf8").catch(() => "");
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
