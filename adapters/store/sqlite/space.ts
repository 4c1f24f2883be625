import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { StoreSpace } from "../driver.ts";
import { StoreUnavailableError } from "../errors.ts";

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

/** The size of the store's file and of its log, and the free space on their disk. */
export async function spaceOf(file: string): Promise<StoreSpace> {
  try {
    // The log does not exist before the first write.
    const [main, log, disk] = await Promise.all([
      sizeOf(file),
      sizeOf(`${file}-wal`).catch(() => 0),
      statfs(dirname(file)),
    ]);
    return { used: main + log, free: disk.bavail * disk.bsize, version: `SQLite ${process.versions.sqlite}` };
  } catch (error) {
    throw new StoreUnavailableError(`cannot read the size of ${file}: ${(error as Error).message}`, { cause: error });
  }
}
