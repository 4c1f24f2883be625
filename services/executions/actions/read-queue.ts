import { config } from "../../../config.ts";
import { handle } from "../../../contracts/call.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { runsOnThisNode } from "../engine/observe-runs.ts";
import { countQueue } from "../store/count-queue.ts";
import { firstFree, isFresh, latestWake, secondsSince } from "../store/queue-ages.ts";
import { countAtOnce } from "../engine/start-quota.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const queue = handle<"executions.queue", WithStore>("executions.queue", async function () {
  const now = new Date();
  const { count, holding } = await countQueue(this.store, now);
  const [first, late] = await Promise.all([
    firstFree(this.store, holding, config().EXECUTIONS_PER_WORKSPACE),
    latestWake(this.store, now),
  ]);
  const waits = first.filter(isFresh).map(({ createdAt }) => secondsSince(createdAt, now));
  return { ...count, oldestSeconds: Math.max(0, ...waits), lateSeconds: secondsSince(late, now) };
});

export const worker = handle("executions.worker", () =>
  Promise.resolve({ ...runsOnThisNode(), capacity: config().EXECUTIONS_CONCURRENCY }),
);

export const countUnfinished = handle<"executions.countUnfinished", ExecutionsService>(
  "executions.countUnfinished",
  async function (ctx) {
    return { executions: await countAtOnce(this, ctx.params.workspaceId) };
  },
);
