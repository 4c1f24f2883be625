import { handle, roleOf } from "../../../contracts/call.ts";
import { cancelExecution } from "../engine/cancel-execution.ts";
import { AppError } from "../../../contracts/errors.ts";
import { includesRole } from "../../../core/roles.ts";
import { getExecution } from "../store/read-execution.ts";
import { removeRun } from "../upkeep/remove-run.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const cancel = handle<"executions.cancel", ExecutionsService>("executions.cancel", async function (ctx) {
  const { purge, compensate, ...address } = ctx.params;
  if (!purge) await cancelExecution(this, address, { compensate });
  else if (includesRole(roleOf(ctx), "admin")) await removeRun(this, await getExecution(this, address));
  else throw new AppError("role_too_low", { detail: "To remove a run, you need the role admin." });
  return null;
});
