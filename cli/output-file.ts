import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError, type Invocation, type Options } from "./command.ts";

/** The options of a command that can write its result to a file. */
export const OUTPUT_OPTIONS: Options = {
  output: { type: "string", short: "o", value: "file", help: "write to this file" },
  force: { type: "boolean", help: "replace the file if it exists" },
};

/**
 * Writes a result to a file. `mode` are the permissions of a new file.
 * @throws {CommandError} when the file exists and `--force` is missing
 */
export async function writeOutput(given: Invocation, to: string, bytes: Readable, mode?: number): Promise<void> {
  try {
    await pipeline(bytes, createWriteStream(to, { flags: given.flag("force") ? "w" : "wx", mode }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new CommandError(`${to} exists; --force replaces it`);
    throw error;
  }
}
