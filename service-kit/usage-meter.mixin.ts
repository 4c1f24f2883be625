import type { Service, ServiceSchema } from "moleculer";
import { call } from "../contracts/call.ts";
import { startSweeper, type Sweeper } from "./sweeper.ts";
import { throttledWarn } from "./throttled-warn.ts";

const EVERY_MS = 1_000;
const TIMEOUT_MS = 5_000;
/** The number of workspaces in one call. */
const GROUP = 200;

export interface Used {
  executions?: number;
  steps?: number;
  modelTokens?: number;
  /** From the workspace's own providers. It does not count towards any quota. */
  ownModelTokens?: number;
}

const NAMES = ["executions", "steps", "modelTokens", "ownModelTokens"] as const satisfies readonly (keyof Used)[];

/** Sums up what workspaces use on this node, and adds it to their stored usage once a second. */
export class UsageMeter {
  #used = new Map<string, Used>();

  add(workspaceId: string, used: Used): void {
    const sum = this.#used.get(workspaceId);
    if (!sum) return void this.#used.set(workspaceId, { ...used });
    for (const name of NAMES) if (used[name] !== undefined) sum[name] = (sum[name] ?? 0) + used[name];
  }

  /** Writes the sums, workspace by workspace. Sums that could not be written are added again. */
  async flush(write: (used: (Used & { workspaceId: string })[]) => Promise<unknown>): Promise<void> {
    const all = [...this.#used].map(([workspaceId, used]) => ({ workspaceId, ...used }));
    this.#used = new Map();
    for (let from = 0; from < all.length; from += GROUP) {
      const part = all.slice(from, from + GROUP);
      await write(part).catch((error: unknown) => {
        for (const { workspaceId, ...used } of all.slice(from)) this.add(workspaceId, used);
        throw error;
      });
    }
  }
}

export interface WithUsageMeter {
  usage: UsageMeter;
}

type Self = Service & Partial<WithUsageMeter> & { metering?: Sweeper };

/** Gives a service `this.usage`. A killed process loses the usage of the last second. */
export const usageMeterMixin: Partial<ServiceSchema> = {
  created(this: Self) {
    this.usage = new UsageMeter();
  },
  started(this: Self) {
    const { broker, usage } = this;
    const warn = throttledWarn(this.logger);
    const flush = async () => {
      // During an upgrade, the only nodes with the service may run the previous version.
      if (!broker.registry.actions.isAvailable("workspaces.usage.add")) return;
      await usage?.flush(used => call(broker, "workspaces.usage.add", { used }, { timeout: TIMEOUT_MS }));
    };
    this.metering = startSweeper(flush, EVERY_MS, error => warn("Usage was not counted; Weft tries again.", error));
    return Promise.resolve();
  },
  async stopped(this: Self) {
    this.metering?.soon();
    await this.metering?.stop();
  },
};
