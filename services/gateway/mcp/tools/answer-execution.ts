import { z } from "zod";
import { executionsActions } from "../../../../contracts/actions/executions.ts";
import { outcomeOf, runOutcome } from "../run-outcome.ts";
import { placeOf, runPlace } from "../run-place.ts";
import { ADDS, tool } from "../tool.ts";

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
    approved: approved.meta({ description: "false: the question is answered with no" }),
    data,
    nodeId: nodeId.meta({ description: "which question, where the run asks several" }),
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
