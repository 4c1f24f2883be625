import { z } from "zod";
import { versionNumber } from "../../../../contracts/entities/workflow.ts";
import { id, json } from "../../../../contracts/primitives.ts";
import { GOES_ON, runOutcome, waitForOutcome } from "../run-outcome.ts";
import { DOES_ANYTHING, tool } from "../tool.ts";

const DEFAULT_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 60;

export const runWorkflow = tool({
  name: "run_workflow",
  title: "Run a workflow",
  description:
    `Starts a workflow and waits until it has ended or asks something, up to waitSeconds. A run that takes longer is asked for ` +
    `with get_execution. ${GOES_ON}`,
  action: "executions.start",
  input: z.strictObject({
    workflowId: id.meta({ description: "as list_workflows gives it" }),
    input: json
      .default(null)
      .meta({ description: "any JSON value; as the workflow's input schema has it, if it states one" }),
    spaceId: id.optional().meta({ description: "the space that the workflow is in; found by itself where absent" }),
    version: versionNumber.optional().meta({ description: "the deployed one where absent, else the newest" }),
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
