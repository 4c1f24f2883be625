import { readFileSync } from "node:fs";
import type { Server } from "../test/support/server.ts";

/** The period in which the kernel counts processor time. */
const TICK_MS = 10;

/** The processor time that the process of a server has used, in ms. */
export function processorMs({ process: { pid } }: Server): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
