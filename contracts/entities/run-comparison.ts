import { z } from "zod";
import { executionSummary, path } from "./execution.ts";
import { executionStep } from "./execution-step.ts";
import { change } from "./workflow-diff.ts";

/** The most matches of a search in a run. */
export const MAX_MATCHES = 200;

/** A place in a value of a run where a text occurs. */
export const executionMatch = z.object({
  nodeId: z.string().nullable().meta({ description: "The step, or the map of an item; null for the run's input." }),
  path: path.optional().meta({ description: "As the list of steps has it: of an item, it ends with the item." }),
  in: z.enum(["input", "output", "error"]),
  pointer: z.string().meta({ description: "A JSON Pointer (RFC 6901) into the value." }),
  excerpt: z.string().meta({ description: "The text with what is around it." }),
});
export type ExecutionMatch = z.infer<typeof executionMatch>;

export const executionMatches = z
  .object({
    matches: z.array(executionMatch).max(MAX_MATCHES),
    complete: z.boolean().meta({
      description: "`false`: the search ended early, since there are more places or the values took too long to read.",
    }),
  })
  .meta({ id: "ExecutionMatches" });

/** A step in one of two compared runs. */
const side = executionStep
  .pick({ status: true, attempt: true, durationMs: true, outputBytes: true, error: true })
  .nullable()
  .meta({ description: "Null where the step has not begun in this run." });

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
    input: changes.meta({ description: "How the input differs; null where it was too large to compare." }),
    output: changes.meta({ description: "How the output differs; null where it was too large to compare." }),
    steps: z.array(comparedStep).meta({
      description:
        "The steps in running order: equal ones of the run itself, and all that differ, also inside of maps.",
    }),
    counts: z.object({ equal: count, changed: count, added: count, removed: count }).meta({
      description: "Of all steps that have begun, also of those that are not listed.",
    }),
    truncated: z.boolean().meta({ description: "Steps or changes are left out, since there are too many." }),
  })
  .meta({ id: "RunComparison" });
export type RunComparison = z.infer<typeof runComparison>;
