import { z } from "zod";
import { id, json, timestamp } from "../primitives.ts";
import { executionParent, path, trigger } from "./execution.ts";

/** A question that waits for an answer, with the run and the step that ask it. */
export const openQuestion = z
  .object({
    executionId: id,
    spaceId: id,
    workflowId: id,
    workflowName: z.string().optional(),
    nodeId: z.string(),
    nodeName: z.string().meta({ description: "The name of the step, or its id without one." }),
    path: path.optional(),
    prompt: z.string(),
    question: z
      .string()
      .optional()
      .meta({ description: "Send it back with the answer, so that the answer cannot be taken for another question." }),
    form: json.optional(),
    assignees: z.array(z.string()).optional(),
    mine: z.boolean().meta({ description: "True if the question names the caller." }),
    askedAt: timestamp.meta({ description: "When the attempt of the step that asks began." }),
    expiresAt: timestamp.nullable(),
    trigger,
    startedBy: id,
    startedByName: z.string().optional(),
    createdAt: timestamp.meta({ description: "When the execution was created." }),
    parent: executionParent.optional(),
  })
  .meta({ id: "OpenQuestion" });
export type OpenQuestion = z.infer<typeof openQuestion>;
