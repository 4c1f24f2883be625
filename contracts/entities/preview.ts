import { z } from "zod";
import { count, id, json } from "../primitives.ts";

/** The most values of one preview. */
export const MAX_PREVIEWED = 200;

const nodeId = z.string().min(1).max(200);

/** The source of the outputs of earlier steps when a step is tested outside of a run. */
export const runScope = {
  executionId: id.optional().meta({ description: "The run whose input and outputs are used." }),
  path: z
    .array(z.strictObject({ nodeId: z.string().max(200), index: count(0) }))
    .max(10)
    .default([])
    .meta({ description: "The map items of that run, outermost first." }),
  samples: z
    .boolean()
    .default(false)
    .meta({ description: "Uses samples of the workflow as outputs that are not given." }),
};

/** Given values replace those of the run. */
export const previewScope = z.strictObject({
  ...runScope,
  nodeId: nodeId
    .optional()
    .meta({ description: "The step whose expressions are evaluated. They cannot read the outputs of later steps." }),
  input: json.optional(),
  steps: z.record(z.string(), json).optional(),
  item: json.optional(),
  index: count(0).optional(),
  loop: json.optional().meta({ description: "`{index, carry}` of the loop around the step." }),
});

export const previewed = z
  .object({
    pointer: z.string(),
    value: json.meta({ description: "The result of the text; null if it has faults. Secrets are shown as `•••`." }),
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
