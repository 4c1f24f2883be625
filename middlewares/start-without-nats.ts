import type { Middleware, ServiceBroker } from "moleculer";
import { setTimeout as sleep } from "node:timers/promises";

/** How long services wait for the connection that lets nodes find each other, which it usually takes no tenth of. */
const PATIENCE_MS = 2_000;

/**
 * Has a node whose NATS is away start all the same: it lives, says what it lacks, serves what it has itself, and Moleculer goes
 * on trying to connect.
 */
export const startWithoutNats: Middleware = {
  name: "start-without-nats",
  starting({ transit }: ServiceBroker) {
    if (!transit) return Promise.resolve();
    const connect = transit.connect.bind(transit);
    transit.connect = async () => {
      const patience = new AbortController();
      const waiting = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([connect(), waiting]);
      patience.abort();
    };
    return Promise.resolve();
  },
};
