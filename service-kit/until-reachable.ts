import type { Service } from "moleculer";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs, SERVER_UNAVAILABLE } from "../core/backoff.ts";

/** All services of a process wait for the same server, so only one of them logs that. */
const SAY_EVERY_MS = 10_000;
let saidAt = -Infinity;

const isAway = (error: unknown): boolean =>
  ["store_unavailable", "store_timeout"].includes((error as { code?: string } | null)?.code ?? "");

/**
 * Retries `open` until the server responds. So a node that starts before its database logs that, serves what it can,
 * and continues by itself. Errors that waiting cannot resolve are thrown at once.
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
    await sleep(backoffMs(SERVER_UNAVAILABLE, tries, Math.random()));
    // The process is stopping. Nothing waits for this start any more, and its failure would turn a clean stop into an
    // error.
    if ((broker as { stopping?: boolean }).stopping) await new Promise<never>(() => undefined);
  }
}
