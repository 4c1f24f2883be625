import type { Middleware, Service } from "moleculer";

/**
 * Calls a stopping service's method `beforeDrain`, where it has one. Only after it are the calls that the service still
 * runs waited for: there it takes no more work, and lets those go that wait for something far away.
 */
export const beforeDrain: Middleware = {
  name: "before-drain",
  async serviceStopping(service: Service & { beforeDrain?: () => Promise<void> }) {
    await service.beforeDrain?.();
  },
};
