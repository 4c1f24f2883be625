import { z } from "zod";
import { outcomeOf, runOutcome } from "../run-outcome.ts";
import { placeOf, runPlace } from "../run-place.ts";
import { ENDS, tool } from "../tool.ts";

export const cancelExecution = tool({
  name: "cancel_execution",
  title: "Cancel a run",
  description: "Ends a run that has not ended, with the steps that it is at.",
  action: "executions.cancel",
  input: z.strictObject(runPlace),
  output: runOutcome,
  annotations: ENDS,
  async run(named, session) {
    const place = await placeOf(session, named);
    await session.act("executions.cancel", place);
    return outcomeOf(await session.act("executions.get", place), false);
  },
});
