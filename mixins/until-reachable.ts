import type { Service } from "moleculer";
import { setTimeout as sleep } from "node:timers/promises";
import { retryWait } from "../core/retry-wait.ts";

/** All services of a process wait for the same server: one of them says so. */
const SAY_EVERY_MS = 10_000;
let saidAt = -Infinity;

const isAway = (error: unknown): boolean =>
  ["store_unavailable", "store_timeout"].includes((error as { code?: string } | null)?.code ?? "");

/**
 * Tries to open what a service needs until its server is there, so that a node which starts before its database says so, serves
 * what it can, and goes on by itself. What waiting does not mend is thrown at once.
 */
export async function untilReachable<T>({ broker, logger }: Service, open: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() - saidAt > SAY_EVERY_MS) {
        saidAt = performance.now();
        logger.warn(`Waiting for the store: ${(error as Error).message}`);
      }
    }
    await sleep(retryWait(tries, Math.random()));
    // Nobody waits for a start any more, and its failure would end a process that is about to end in peace.
    if ((broker as { stopping?: boolean }).stopping) await new Promise<never>(() => undefined);
  }
}
