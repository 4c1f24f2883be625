import type { Execution, Suspension } from "../../contracts/entities/execution.ts";
import type { DeliveredExecution } from "../../contracts/entities/webhook.ts";

const question = ({ nodeId, path, executionId, prompt, question, form, expiresAt }: Suspension) => ({
  ...{ nodeId, prompt, expiresAt },
  ...(path && { path }),
  ...(executionId !== undefined && { executionId }),
  ...(question !== undefined && { question }),
  ...(form !== undefined && { form }),
});

/** The sender must not see what a third party answered to a step. */
const withoutDetails = ({ code, message, nodeId, faults }: NonNullable<Execution["error"]>) => ({
  ...{ code, message },
  ...(nodeId !== undefined && { nodeId }),
  ...(faults && { faults }),
});

/** Lists each field that the sender may see, so that a new field of executions stays hidden until it is added here. */
export const presentDelivered = (run: Execution): DeliveredExecution => ({
  id: run.id,
  workspaceId: run.workspaceId,
  spaceId: run.spaceId,
  workflowId: run.workflowId,
  workflowVersion: run.workflowVersion,
  status: run.status,
  trigger: run.trigger,
  error: run.error && withoutDetails(run.error),
  ...(run.suspension && { suspension: question(run.suspension) }),
  attempt: run.attempt,
  createdAt: run.createdAt,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  output: run.output,
  ...(run.suspensions && { suspensions: run.suspensions.map(question) }),
});
