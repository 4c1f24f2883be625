import { HANG_MS } from "./hang.ts";

/** Waits for what happens behind an answer, without an event to wait for. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + HANG_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("It did not happen in time.");
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
