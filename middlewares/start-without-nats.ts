import type { Middleware, ServiceBroker } from "moleculer";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long services wait for the connection with which nodes find each other, in ms. It usually takes less than a tenth
 * of this.
 */
const MAX_WAIT_MS = 2_000;

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
      const waitEnd = new AbortController();
      const waiting = sleep(MAX_WAIT_MS, undefined, { signal: waitEnd.signal }).catch(() => undefined);
      await Promise.race([connect(), waiting]);
      waitEnd.abort();
    };
    return Promise.resolve();
  },
};
