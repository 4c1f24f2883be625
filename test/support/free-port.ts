import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to connections, and to servers that ask for any: such a port may be taken again before
 * the process listens that it is meant for.
 */
const [FIRST, COUNT] = [10_000, 20_000];
/** Each worker takes every so many-th, so that no two of them take the same. */
const STEP = 16;

let next = Math.floor((Math.random() * COUNT) / STEP);

/** A port of this host on which nothing listens, for a process that is about to start. It is given once. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID ?? 0) % STEP;
  for (let tries = 0; tries < COUNT / STEP; tries++) {
    const port = FIRST + ((next++ * STEP + worker) % COUNT);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
  throw new Error(`No port from ${FIRST} on is free`);
}
