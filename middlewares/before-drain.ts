import type { Middleware, Service } from "moleculer";

/**
 * Calls the method `beforeDrain` of a stopping service, if it has one. The broker waits for the service's running calls
 * only afterwards. In this method the service stops accepting work, and ends calls that wait for something remote.
 */
export const beforeDrain: Middleware = {
  name: "before-drain",
  async serviceStopping(service: Service & { beforeDrain?: () => Promise<void> }) {
    await service.beforeDrain?.();
  },
};
