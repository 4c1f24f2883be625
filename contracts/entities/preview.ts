import { z } from "zod";
import { count, id, json } from "../primitives.ts";

/** The most values of one preview. */
export const MAX_PREVIEWED = 200;

const nodeId = z.string().min(1).max(200);

/** The source of the outputs of earlier steps when a step is tested outside of a run. */
export const runScope = {
  executionId: id.optional().meta({ description: "The run whose input and outputs count." }),
  path: z
    .array(z.strictObject({ nodeId: z.string().max(200), index: count(0) }))
    .max(10)
    .default([])
    .meta({ description: "The map items of that run, outermost first." }),
  samples: z.boolean().default(false).meta({ description: "Samples of the workflow take the place of outputs." }),
};

/** Given values replace those of the run. */
export const previewScope = z.strictObject({
  ...runScope,
  nodeId: nodeId.optional().meta({ description: "The step that evaluates. It does not see the outputs behind it." }),
  input: json.optional(),
  steps: z.record(z.string(), json).optional(),
  item: json.optional(),
  index: count(0).optional(),
  loop: json.optional().meta({ description: "`{index, carry}` of the loop around the step." }),
});

export const previewed = z
  .object({
    pointer: z.string(),
    value: json.meta({ description: "What the text gives; null where it has faults. Secrets are `•••`." }),
    type: z.enum(["null", "boolean", "number", "string", "array", "object"]),
    truncated: z.boolean().meta({ description: "Whether `value` is only the beginning." }),
    faults: z.array(
      z.object({
        message: z.string(),
        from: z.int().min(0).meta({ description: "The place in the text, in UTF-16 code units." }),
        to: z.int().min(0).meta({ description: "The end of the place, exclusive." }),
      }),
    ),
  })
  .meta({ id: "PreviewedValue" });
export type Previewed = z.infer<typeof previewed>;
export type PreviewFault = Previewed["faults"][number];
