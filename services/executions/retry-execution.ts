import { call, callerOf, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { present } from "./present.ts";
import { getExecution, journalOf, type ExecutionsService } from "./service.ts";
import { createExecution } from "./start-execution.ts";

/** Starts a new execution of the same version that keeps what the old one had finished. */
export const retry = handle<"executions.retry", ExecutionsService>("executions.retry", async function (ctx) {
  const old = await getExecution(this, ctx.params);
  if (old.status !== "failed" && old.status !== "cancelled") throw new AppError("execution_not_retryable");
  const { userId: startedBy } = callerOf(ctx);
  const { workspaceId, spaceId, workflowId, workflowVersion: version } = old;
  await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
  const created = await journalOf(this, old).created();
  const input = created?.input ?? null;
  const doc = await createExecution(this, {
    workspaceId,
    spaceId,
    workflowId,
    workflowVersion: version,
    startedBy,
    trigger: { type: "retry", id: old.id },
    attempt: old.attempt + 1,
    input,
    retryOf: old.id,
  });
  return present(doc, { input, output: null });
});
