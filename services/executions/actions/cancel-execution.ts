import { handle } from "../../../contracts/call.ts";
import { cancelExecution } from "../engine/cancel-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const cancel = handle<"executions.cancel", ExecutionsService>("executions.cancel", async function (ctx) {
  await cancelExecution(this, ctx.params);
  return null;
});
