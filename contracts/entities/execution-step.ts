import { z } from "zod";
import { id, json, timestamp } from "../primitives.ts";
import { errorOrigin, executionError, path } from "./execution.ts";

export const STEP_STATUSES = ["pending", "running", "waiting", "completed", "failed", "skipped", "cancelled"] as const;
export const stepStatus = z.enum(STEP_STATUSES);
export type StepStatus = z.infer<typeof stepStatus>;

/** The maximum characters of a value in a list: for steps of the run itself, and for steps and items inside maps. */
export const MAX_PREVIEW = { run: 512, inside: 120 };
/** The most turns of an agent in a list. An agent has at most 50. */
export const MAX_TURNS_SHOWN = 100;

const shortError = z.object({
  code: z.string(),
  message: z.string(),
  nodeId: z.string().optional(),
  origin: errorOrigin.optional(),
});
export type ShortError = z.infer<typeof shortError>;

const agentCall = z.object({
  callId: z.string(),
  tool: z.string(),
  arguments: z.string().meta({ description: "The beginning of the arguments, as JSON text." }),
  status: z.enum(["open", "completed", "failed", "refused"]),
  approved: z.boolean().optional().meta({ description: "The answer, if a person was asked." }),
  result: z.string().nullable().meta({ description: "The beginning of the result, or the error." }),
  finishedAt: timestamp.nullable(),
});

const agentTurn = z.object({
  turn: z.int().min(1),
  at: timestamp,
  text: z.string().meta({ description: "The beginning of the model's text." }),
  inputTokens: z.number(),
  outputTokens: z.number(),
  calls: z.array(agentCall),
});
export type AgentTurn = z.infer<typeof agentTurn>;

export const itemCounts = z.object({
  total: z.int().min(0),
  completed: z.int().min(0),
  failed: z.int().min(0).meta({ description: "Items in which a step has failed, handled or not." }),
  running: z.int().min(0),
  rounds: z
    .literal(true)
    .optional()
    .meta({ description: "True if they are the rounds of a loop, and not the items of a map." }),
});

/** A step of an execution, or one item of a map, without its payloads. */
/** The signal that ends a wait. */
const awaited = z.object({
  event: z.string().optional().meta({ description: "The name of the signal." }),
  key: z.string().optional().meta({ description: "The key of the signal." }),
  url: z.url().optional().meta({
    description: "The address whose call ends the wait, as `$resumeUrl` gives it. People with the role editor see it.",
  }),
});

export const executionStep = z
  .object({
    nodeId: z.string(),
    name: z.string(),
    type: z.string().nullable().meta({
      description:
        "The type of the node; `item` for an item of a map and `round` for a round of a loop, whose `path` ends with the item or round itself; null when the version no longer exists.",
    }),
    path: path.optional(),
    status: stepStatus.meta({
      description:
        "`pending` has not begun. `cancelled` was under way when the run, or the map around it, ended. A map or a loop is `running` while its items or rounds run.",
    }),
    attempt: z.int().min(0).meta({ description: "The starts so far." }),
    attempts: z.int().min(1).nullable().meta({ description: "The attempts that the step's policy allows." }),
    startedAt: timestamp.nullable().meta({ description: "The start of the first attempt." }),
    finishedAt: timestamp.nullable(),
    durationMs: z.number().min(0).nullable().meta({ description: "The duration of the last attempt." }),
    handle: z.string().nullable().optional().meta({
      description:
        "The handle by which the run left the step, once it has settled; null where the run does not go on from it.",
    }),
    waitsFor: z.enum(["answer", "delay", "retry", "child", "event"]).optional(),
    awaits: awaited.optional().meta({ description: "What a step with `waitsFor: event` waits for." }),
    until: timestamp.optional().meta({ description: "When a waiting step continues by itself." }),
    childExecutionId: id.optional(),
    error: shortError.nullable(),
    outputBytes: z.int().min(0).nullable().meta({ description: "The size of the output as JSON, once there is one." }),
    preview: z
      .string()
      .max(MAX_PREVIEW.run)
      .nullable()
      .meta({ description: "The beginning of the output, as JSON text." }),
    items: itemCounts
      .optional()
      .meta({ description: "The items of a map that has begun, or the rounds of a loop so far." }),
    turns: z
      .array(agentTurn)
      .max(MAX_TURNS_SHOWN)
      .optional()
      .meta({ description: "What an agent has done so far. The log contains the complete texts." }),
  })
  .meta({ id: "ExecutionStep" });
export type ExecutionStep = z.infer<typeof executionStep>;

/** The payloads of one step, or of one item of a map. */
export const stepOutput = z
  .object({
    nodeId: z.string(),
    path: path.optional(),
    status: stepStatus,
    ended: z.boolean().meta({ description: "True if the step has ended. This response then never changes." }),
    input: json.optional().meta({
      description:
        "The resolved data of a step that reaches outside, or the item of a map. Absent where the log has none.",
    }),
    output: json,
    error: executionError.nullable(),
  })
  .meta({ id: "StepOutput" });
export type StepOutput = z.infer<typeof stepOutput>;
