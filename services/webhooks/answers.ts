import type { Execution, Response, Suspension } from "../../contracts/entities/execution.ts";
import type { DeliveredExecution, WebhookRespond } from "../../contracts/entities/webhook.ts";

interface Launched {
  execution: Execution;
  /** The response that a `respond` step has set. */
  response: Response | null;
}

const bare = (status: number): Response => ({ status, headers: {}, body: null });

const json = (status: number, type: string, value: unknown): Response => ({
  status,
  headers: { "content-type": type },
  body: JSON.stringify(value),
});

/** The sender learns that the run failed, but not why. */
const FAILED = json(500, "application/problem+json", {
  type: "about:blank",
  title: "The workflow failed",
  status: 500,
});

function atEnd({ status, output }: Execution, otherwise: number): Response {
  if (status === "completed") return json(200, "application/json; charset=utf-8", output ?? null);
  return status === "failed" || status === "cancelled" ? FAILED : bare(otherwise);
}

/** The response for the sender instead of the execution; null if the sender gets the execution. */
export function answerFor(respond: WebhookRespond, { execution, response }: Launched): Response | null {
  switch (respond.mode) {
    case "execution":
      return response;
    case "accepted":
      return { status: 202, headers: {}, body: { executionId: execution.id } };
    case "empty":
      return bare(respond.status);
    case "on_respond":
      return response ?? bare(respond.otherwise);
    case "at_end":
      return atEnd(execution, respond.otherwise);
  }
}

const question = ({ nodeId, path, executionId, prompt, question, form, expiresAt }: Suspension) => ({
  ...{ nodeId, prompt, expiresAt },
  ...(path && { path }),
  ...(executionId !== undefined && { executionId }),
  ...(question !== undefined && { question }),
  ...(form !== undefined && { form }),
});

/** The sender must not see responses of third parties to a step. */
const withoutDetails = ({ code, message, nodeId, faults }: NonNullable<Execution["error"]>) => ({
  ...{ code, message },
  ...(nodeId !== undefined && { nodeId }),
  ...(faults && { faults }),
});

/** Lists each field that the sender may see. A new field of executions stays hidden until it is added here. */
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
