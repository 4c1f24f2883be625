import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** In the data folder: when its store was last backed up. */
const LAST_BACKUP = "last-backup";

/** Notes the time of a complete backup. A backup of a folder that cannot be written to is as good without the note. */
export async function noteBackup(dataDir: string, at: string): Promise<void> {
  const path = join(dataDir, LAST_BACKUP);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${at}\n`, { mode: 0o600 })
    .then(() => rename(draft, path))
    .catch(() => undefined);
}

/** Null where no backup is known. */
export async function lastBackup(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, LAST_BACKUP), "utf8").catch(() => "");
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
