import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls `step` again and again while it returns true, for at most `ms` milliseconds. After each call it pauses for as
 * long as the call took, so that others can use the store. Returns whether there may be more to do.
 */
export async function repeatWithPauses(ms: number, step: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  for (let now = performance.now(); now < end; now = performance.now()) {
    if (!(await step())) return false;
    await sleep(performance.now() - now);
  }
  return true;
}
