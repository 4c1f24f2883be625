import { z } from "zod";
import { executionSummary, path } from "./execution.ts";
import { executionStep } from "./execution-step.ts";
import { change } from "./workflow-diff.ts";

/** The most matches of a search in a run. */
export const MAX_MATCHES = 200;

/** A place in a value of a run where a text occurs. */
export const executionMatch = z.object({
  nodeId: z.string().nullable().meta({ description: "The step, or the map of an item; null for the run's input." }),
  path: path
    .optional()
    .meta({ description: "The same path as in the list of steps. For an item, it ends with the item." }),
  in: z.enum(["input", "output", "error"]),
  pointer: z.string().meta({ description: "A JSON Pointer (RFC 6901) into the value." }),
  excerpt: z.string().meta({ description: "The match with the text around it." }),
});
export type ExecutionMatch = z.infer<typeof executionMatch>;

export const executionMatches = z
  .object({
    matches: z.array(executionMatch).max(MAX_MATCHES),
    complete: z.boolean().meta({
      description:
        "`false` if the search ended early, because there are too many matches or reading the values took too long.",
    }),
  })
  .meta({ id: "ExecutionMatches" });

/** A step in one of two compared runs. */
const side = executionStep
  .pick({ status: true, attempt: true, durationMs: true, outputBytes: true, error: true })
  .nullable()
  .meta({ description: "Null if the step has not begun in this run." });

const changes = z.array(change).nullable();

const comparedStep = executionStep.pick({ nodeId: true, name: true, type: true, path: true }).extend({
  change: z.enum(["equal", "changed", "added", "removed"]).meta({
    description:
      "`changed`: status, error or output differ. `added` has begun in the second run only, `removed` in the first only.",
  }),
  a: side,
  b: side,
  output: changes.optional().meta({
    description:
      "How the output of a changed step differs; null where it was too large, or there was no time to compare.",
  }),
});
export type ComparedStep = z.infer<typeof comparedStep>;

const count = z.int().min(0);

/** The differences between two runs. Changes lead from the first run to the second. */
export const runComparison = z
  .object({
    a: executionSummary,
    b: executionSummary,
    input: changes.meta({ description: "The differences of the input; null if it was too large to compare." }),
    output: changes.meta({ description: "The differences of the output; null if it was too large to compare." }),
    steps: z.array(comparedStep).meta({
      description:
        "The steps in running order: equal ones of the run itself, and all that differ, also inside of maps.",
    }),
    counts: z.object({ equal: count, changed: count, added: count, removed: count }).meta({
      description: "Counts all steps that have begun, including those that are not listed.",
    }),
    truncated: z.boolean().meta({ description: "True if steps or changes are left out, because there are too many." }),
  })
  .meta({ id: "RunComparison" });
export type RunComparison = z.infer<typeof runComparison>;
