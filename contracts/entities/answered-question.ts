import { z } from "zod";
import { id, json, timestamp } from "../primitives.ts";
import { path } from "./execution.ts";

/** The most bytes of an answer's data, as JSON, that lists show. */
export const MAX_LISTED_DATA = 4_096;

/** A question of a run, and the answer that a person gave. */
export const answeredQuestion = z
  .object({
    executionId: id,
    spaceId: id,
    workflowId: id,
    workflowName: z.string().optional(),
    workflowVersion: z.int().min(1),
    nodeId: z.string(),
    nodeName: z.string().meta({ description: "The name of the step, or its id without one." }),
    path: path.optional(),
    prompt: z.string().meta({ description: "The first 2,000 characters of the question." }),
    question: z.string().optional().meta({ description: "Identifies the question, if the step asks several." }),
    assignees: z.array(z.string()).optional(),
    askedAt: timestamp.meta({ description: "When the attempt of the step that asked began." }),
    answeredAt: timestamp,
    answeredBy: z.string().meta({
      description:
        "The user who answered, or who created the API key that did. The e-mail address of a person who answered by a link without an account.",
    }),
    answeredByName: z.string().optional(),
    approved: z.boolean(),
    data: json.meta({
      description: "The data that the person sent with the answer; null without data, or if the list leaves it out.",
    }),
    dataBytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: `The size of the data as JSON, where it is over ${MAX_LISTED_DATA} bytes and left out.` }),
    seq: z.int().min(1).meta({ description: "The entry of the execution's log with the whole answer." }),
  })
  .meta({ id: "AnsweredQuestion" });
export type AnsweredQuestion = z.infer<typeof answeredQuestion>;
