import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "./command.ts";

const FILE = "rotation.lock";

/** Held by one process at a time; the system lets go of it when that process ends, however it does. CommandError. */
export function lockRotation(dataDir: string): { release(): void } {
  const file = join(dataDir, FILE);
  const held = new DatabaseSync(file, { timeout: 0 });
  try {
    held.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    held.close();
    throw new CommandError(`Another rotation is at work on ${dataDir}.`, { cause: error });
  }
  return { release: () => held.close() };
}
