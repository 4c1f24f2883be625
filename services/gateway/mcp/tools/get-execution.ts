import { z } from "zod";
import { runOutcome, waitForOutcome } from "../run-outcome.ts";
import { placeOf, runPlace } from "../run-place.ts";
import { READS, tool } from "../tool.ts";

const MAX_WAIT_SECONDS = 60;

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
