import { once } from "node:events";
import { createServer } from "node:net";

/**
 * These ports are below the range that systems use for connections and for servers without a fixed port. A port in that
 * range may be taken again before the intended process listens.
 */
const [FIRST, COUNT] = [10_000, 20_000];
/** Each worker uses every nth port, so that no two workers use the same one. */
const STEP = 16;

let next = Math.floor((Math.random() * COUNT) / STEP);

/** A free port of this host, for a process that is about to start. Each port is returned only once. */
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
