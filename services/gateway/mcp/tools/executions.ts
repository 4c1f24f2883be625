import { workflowsActions } from "../../../../contracts/actions/workflows.ts";
import { READS, tool, DOES_ANYTHING, ADDS, ENDS } from "../tool.ts";
import { z } from "zod";
import { versionNumber } from "../../../../contracts/entities/workflow.ts";
import { id, json } from "../../../../contracts/primitives.ts";
import { CANCEL_NOTE, runOutcome, waitForOutcome, outcomeOf } from "../run-outcome.ts";
import { executionsActions } from "../../../../contracts/actions/executions.ts";
import type { McpSession } from "../session.ts";

/** The fields by which tools name a run. */
export const runPlace = {
  executionId: id,
  spaceId: id.optional().meta({ description: "The space of the execution. Default: Weft finds it." }),
};

/**
 * The run that a call names, in the form of an action's input.
 * @throws {AppError} not_found when there is no such run
 */
export async function placeOf(
  session: McpSession,
  { executionId, spaceId }: { executionId: string; spaceId?: string | undefined },
): Promise<{ spaceId: string; id: string }> {
  if (spaceId !== undefined) return { spaceId, id: executionId };
  return { ...(await session.act("executions.locate", { id: executionId })), id: executionId };
}

const catalog = workflowsActions["workflows.catalog"];

export const listWorkflows = tool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the workflows of all spaces, or of one, newest first, with the JSON Schema of their input where they state one. " +
    "`next` is the cursor of the next page, null on the last one.",
  action: "workflows.catalog",
  input: catalog.input.omit({ workspaceId: true }),
  output: catalog.output,
  annotations: READS,
  run: async (args, session) => ({ structured: await session.act("workflows.catalog", args) }),
});

const DEFAULT_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 60;

export const runWorkflow = tool({
  name: "run_workflow",
  title: "Run a workflow",
  description:
    `Starts a workflow and waits until it has ended or asks something, up to waitSeconds. A run that takes longer is asked for ` +
    `with get_execution. ${CANCEL_NOTE}`,
  action: "executions.start",
  input: z.strictObject({
    workflowId: id.meta({ description: "The id, as in `list_workflows`." }),
    input: json
      .default(null)
      .meta({ description: "Any JSON value. If the workflow has an input schema, the value must match it." }),
    spaceId: id.optional().meta({ description: "The space of the workflow. Default: Weft finds it." }),
    version: versionNumber.optional().meta({ description: "Default: the deployed version, or else the newest." }),
    waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(DEFAULT_WAIT_SECONDS),
  }),
  output: runOutcome,
  annotations: DOES_ANYTHING,
  async run({ workflowId, input, spaceId, version = "deployed" as const, waitSeconds }, session, context) {
    const found = await session.act("workflows.runnable", { workflowId, spaceId, version });
    const run = await session.act("executions.start", { ...found, workflowId, input });
    return waitForOutcome(session, run, waitSeconds * 1_000, context);
  },
});

export const getExecution = tool({
  name: "get_execution",
  title: "Read a run",
  description:
    "Gives the status of a run, its output or error, and what it asks. With waitSeconds it waits that long for the run to end or " +
    "to ask something.",
  action: "executions.get",
  input: z.strictObject({ ...runPlace, waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(0) }),
  output: runOutcome,
  annotations: READS,
  async run({ waitSeconds, ...named }, session, context) {
    return waitForOutcome(session, await placeOf(session, named), waitSeconds * 1_000, context, false);
  },
});

const { approved, data, nodeId, path, question } = executionsActions["executions.respond"].input.shape;

export const answerExecution = tool({
  name: "answer_execution",
  title: "Answer a run that asks",
  description:
    "Answers what a suspended run asks: approved or not, and data as the question's form has it. It is a person's decision: " +
    "pass on what they said, do not decide for them.",
  action: "executions.respond",
  input: z.strictObject({
    ...runPlace,
    approved: approved.meta({ description: "True to approve, false to refuse." }),
    data,
    nodeId: nodeId.meta({ description: "The step that asks, if the run asks several questions." }),
    path,
    question,
  }),
  output: runOutcome,
  annotations: ADDS,
  async run({ executionId, spaceId, ...given }, session) {
    const place = await placeOf(session, { executionId, spaceId });
    return outcomeOf(await session.act("executions.respond", { ...place, ...given }), false);
  },
});

export const cancelExecution = tool({
  name: "cancel_execution",
  title: "Cancel a run",
  description:
    "Ends a run that has not ended, with the steps that it is at. With `compensate` it undoes its finished steps first, where they name a compensation.",
  action: "executions.cancel",
  input: z.strictObject({ ...runPlace, compensate: z.boolean().optional() }),
  output: runOutcome,
  annotations: ENDS,
  async run({ compensate, ...named }, session) {
    const place = await placeOf(session, named);
    await session.act("executions.cancel", { ...place, ...(compensate && { compensate }) });
    return outcomeOf(await session.act("executions.get", place), false);
  },
});
