import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does one step after another, as long as there may be more to do and for `ms` at most. After each, others have the store
 * for as long as it took. Gives whether there may be more.
 */
export async function inTurns(ms: number, step: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  for (let now = performance.now(); now < end; now = performance.now()) {
    if (!(await step())) return false;
    await sleep(performance.now() - now);
  }
  return true;
}
