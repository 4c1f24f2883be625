import { join } from "node:path";
import { type Hold, holdFile } from "../adapters/transfer/hold-file.ts";
import { CommandError } from "./command.ts";

const FILE = "rotation.lock";

/**
 * Lets one rotation run at a time.
 * @throws {CommandError} when another rotation holds the lock
 */
export function lockRotation(dataDir: string): Hold {
  const hold = holdFile(join(dataDir, FILE));
  if (!hold) throw new CommandError(`Another rotation is at work on ${dataDir}.`);
  return hold;
}
