import { RUN } from "./real-servers.ts";

/** A server takes its time for each of many writes. */
const LIMIT_MS = process.env[RUN] ? 40_000 : 10_000;

/** Waits for what happens behind an answer, without an event to wait for. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("It did not happen in time.");
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
