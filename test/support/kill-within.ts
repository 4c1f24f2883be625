import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, createWriteStream, openSync, renameSync } from "node:fs";
import type { Running } from "./cli.ts";
import { until } from "./until.ts";

/** How a command is killed within the bytes of a file that it reads. */
export interface KillWithin {
  /** The file. */
  path: string;
  /** What the command gets of it. */
  part: Uint8Array;
  start: () => Running;
  /** Whether the part has arrived where the command writes. */
  hasPart: () => boolean | Promise<boolean>;
}

/**
 * Kills a command in the middle of the bytes of a file. The file is a pipe meanwhile, which gives a part of them and no
 * end. Afterwards the file is as it was.
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
    // Opening a pipe waits for the other side, which a command that ended early never was.
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    pipe.destroy();
    renameSync(`${path}.whole`, path);
  }
}
