import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, createWriteStream, openSync, renameSync } from "node:fs";
import type { Running } from "./cli.ts";
import { until } from "./until.ts";

/** How to kill a command while it reads the bytes of a file. */
export interface KillWithin {
  /** The file. */
  path: string;
  /** The bytes that the command receives. */
  part: Uint8Array;
  start: () => Running;
  /** Whether these bytes have arrived at the command's destination. */
  hasPart: () => boolean | Promise<boolean>;
}

/**
 * Kills a command while it reads the bytes of a file. Meanwhile the file is a pipe that returns a part of the bytes and
 * does not end. Afterwards the file is restored.
 */
export async function killWithin({ path, part, start, hasPart }: KillWithin): Promise<void> {
  renameSync(path, `${path}.whole`);
  execFileSync("mkfifo", [path]);
  const pipe = createWriteStream(path).on("error", () => undefined);
  try {
    const { process, ended } = start();
    const early = ended.then(({ stdout, stderr }) => Promise.reject(new Error(`It ended early: ${stdout}${stderr}`)));
    await Promise.race([once(pipe, "open"), early]);
    pipe.write(part);
    await Promise.race([until(hasPart), early]);
    process.kill("SIGKILL");
    await early.catch(() => undefined);
    if (process.signalCode !== "SIGKILL") throw new Error(`It ended before it was killed: ${process.exitCode}`);
  } finally {
    // Opening a pipe waits for the other side, which does not exist if the command ended early.
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    pipe.destroy();
    renameSync(`${path}.whole`, path);
  }
}
