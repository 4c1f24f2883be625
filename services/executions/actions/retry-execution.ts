import type { ParamsOf } from "../../../contracts/actions.ts";
import { call, handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { newId } from "../../../service-kit/new-id.ts";
import type { ExecutionDoc } from "../store/model.ts";
import { present } from "../store/present.ts";
import { getExecution } from "../store/read-execution.ts";
import { checkRetryable, retryRun } from "./retry-run.ts";
import { starterOf } from "../../../service-kit/starter-of.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** @throws {AppError} validation_failed when both a step and the start are given */
export function checkBeginning({ fromNode, fromStart }: Pick<ParamsOf<"executions.retry">, "fromNode" | "fromStart">) {
  if (fromNode !== undefined && fromStart)
    throw new AppError("validation_failed", {
      errors: [{ path: "/fromNode", message: "Give either a step or the start, not both." }],
    });
}

/** Rejects a step from which a retry cannot run. */
export async function checkFrom(
  { engine }: ExecutionsService,
  { workspaceId, workflowId }: ExecutionDoc,
  version: number,
  nodeId: string,
) {
  const { parsed } = await engine.definitions.get(workspaceId, workflowId, version);
  const refuse = (message: string) => {
    throw new AppError("validation_failed", { errors: [{ path: "/fromNode", message }] });
  };
  if (parsed.faults) return;
  const node = parsed.graph.byId.get(nodeId);
  if (!node) refuse(`Version ${version} of the workflow has no step \`${nodeId}\`.`);
  else if (node.parent)
    refuse(
      `The step \`${nodeId}\` is inside a ${node.parent.type}. Retry from the ${node.parent.type} \`${node.parent.id}\` instead; it runs again as a whole.`,
    );
}

/** Starts a new execution that keeps the finished steps of the old one, as far as the request asks for it. */
export const retry = handle<"executions.retry", ExecutionsService>("executions.retry", async function (ctx) {
  const { fromNode, fromStart, version: wanted, input: given } = ctx.params;
  checkBeginning(ctx.params);
  if (given !== undefined && !fromStart)
    throw new AppError("validation_failed", {
      errors: [
        { path: "/input", message: "Another input needs `fromStart`, because finished steps have seen the old one." },
      ],
    });
  const old = await getExecution(this, ctx.params);
  checkRetryable(old, fromNode !== undefined || fromStart);
  if (fromNode !== undefined) {
    const { workspaceId, spaceId, workflowId, workflowVersion } = old;
    const version = wanted === "latest" ? undefined : workflowVersion;
    const runnable = await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId, version });
    await checkFrom(this, old, runnable.version, fromNode);
  }
  const again = { id: newId(ctx), ...starterOf(ctx), fromNode, fromStart, input: given, version: wanted };
  const { doc, input } = await retryRun(this, old, again);
  return present(doc, { input, output: null });
});
