import { handle } from "../../../contracts/call.ts";
import { countAtOnce } from "../engine/start-quota.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const countUnfinished = handle<"executions.countUnfinished", ExecutionsService>(
  "executions.countUnfinished",
  async function (ctx) {
    return { executions: await countAtOnce(this, ctx.params.workspaceId) };
  },
);
