import { setTimeout as sleep } from "node:timers/promises";
import { HANG_MS } from "./hang.ts";

const FIRST_PAUSE_MS = 5;
/**
 * Longer pauses for long waits, because polling every few milliseconds takes processor time from the awaited process.
 */
const MAX_PAUSE_MS = 100;

/** Polls until a condition without an event holds. The pauses between the attempts grow. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + HANG_MS;
  for (let pause = FIRST_PAUSE_MS; !(await holds()); pause = Math.min(MAX_PAUSE_MS, pause * 1.25)) {
    if (Date.now() > end) throw new Error(`It did not happen within ${HANG_MS} ms.`);
    await sleep(pause);
  }
}
