import type { Middleware, ServiceBroker } from "moleculer";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long services wait for the connection with which nodes find each other, in ms. It usually takes less than a tenth
 * of this.
 */
const PATIENCE_MS = 2_000;

/**
 * Lets a node start while NATS is unavailable. The node reports the missing connection and serves its own services,
 * while Moleculer continues to connect.
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
