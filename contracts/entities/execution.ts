import { z } from "zod";
import { id, json, timestamp } from "../primitives.ts";
import { definitionFault, versionNumber } from "./workflow.ts";

export const EXECUTION_STATUSES = ["pending", "running", "completed", "failed", "cancelled", "suspended"] as const;
export const executionStatus = z.enum(EXECUTION_STATUSES);
export type ExecutionStatus = z.infer<typeof executionStatus>;

/** The sort orders of lists of executions. */
export const RUN_SORTS = ["-createdAt", "createdAt", "-finishedAt", "finishedAt", "-durationMs", "durationMs"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

export const TRIGGER_TYPES = ["manual", "schedule", "webhook", "subworkflow", "retry"] as const;
export const trigger = z.object({ type: z.enum(TRIGGER_TYPES), id: z.string().optional() });
export type Trigger = z.infer<typeof trigger>;

/** The API key that started an execution, with its name at that time. Nodes of earlier versions write no name. */
export const startedByKey = z.object({ id, name: z.string().optional() });
export type StartedByKey = z.infer<typeof startedByKey>;

/** The response that a `respond` step sets for a caller who waits for the run. */
export const response = z.object({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()),
  body: json,
});
export type Response = z.infer<typeof response>;

/** The origin of a failure that was passed on by subworkflow steps: the execution, and its step. */
export const errorOrigin = z.object({ executionId: id, nodeId: z.string().optional(), code: z.string() });

export const executionError = z.object({
  code: z.string(),
  message: z.string(),
  nodeId: z.string().optional(),
  origin: errorOrigin.optional().meta({
    description: "For a failure in a subworkflow: the innermost execution, its step and its error code.",
  }),
  faults: z.array(definitionFault).optional(),
  details: z
    .record(z.string(), json)
    .optional()
    .meta({ description: "Details of the error. For an `http` step: method, url, status, headers and body." }),
});
export type ExecutionError = z.infer<typeof executionError>;

/** The compensation of the finished steps of a failed run. */
export const compensation = z.object({
  status: z.enum(["running", "completed", "failed"]),
  compensated: z.array(z.string()).meta({
    description:
      "The steps that were compensated. Steps in maps and loops are listed if all their items and rounds were.",
  }),
  failed: z.array(z.string()).meta({ description: "The steps whose compensation failed, in any item or round." }),
});
export type Compensation = z.infer<typeof compensation>;

/** One item of a map. */
export const pathPart = z.object({ nodeId: z.string(), index: z.int().min(0) });
export type PathPart = z.infer<typeof pathPart>;
/** The map items that an event belongs to, outermost first. */
export const path = z.array(pathPart).readonly();

export const suspension = z.object({
  nodeId: z.string(),
  path: path.optional(),
  /** The execution that asks, if it is a child of a subworkflow step. */
  executionId: id.optional(),
  prompt: z.string(),
  question: z.string().optional().meta({
    description:
      "Identifies the question if the step asks several, as agents do. An answer that contains it cannot apply to another question.",
  }),
  form: json.optional(),
  assignees: z.array(z.string()).optional(),
  allowLinks: z.boolean().optional().meta({ description: "Mails about the question have a link that answers it." }),
  expiresAt: timestamp.nullable(),
});
export type Suspension = z.infer<typeof suspension>;

/** The step that started an execution and waits for it. */
export const executionParent = z.object({ executionId: id, nodeId: z.string(), path: path.optional() });
export type ExecutionParent = z.infer<typeof executionParent>;

/** An execution in a list. It has every field except the payloads, which can be large. */
export const executionSummary = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    workflowId: id,
    workflowVersion: versionNumber,
    workflowName: z.string().optional().meta({ description: "In lists, while the workflow exists." }),
    status: executionStatus,
    trigger,
    startedByName: z
      .string()
      .optional()
      .meta({ description: "In lists: the user's name, or else the e-mail address. Also set for former members." }),
    startedBy: id.meta({
      description:
        "The user who started the execution, or who created the API key, schedule or webhook that started it.",
    }),
    startedByKey: startedByKey.optional().meta({
      description: "The API key that started or retried the execution, with its name at that time.",
    }),
    error: executionError.nullable(),
    compensation: compensation.optional(),
    suspension: suspension.optional(),
    parent: executionParent.optional(),
    key: z
      .string()
      .optional()
      .meta({ description: "The caller's name for the run. At most one open run of a workflow has a given key." }),
    labels: z.record(z.string(), z.string()).optional(),
    note: z.string().optional(),
    retryOf: id.optional().meta({ description: "The execution that this one retries." }),
    retriedBy: id.optional().meta({ description: "The latest execution that retries this one." }),
    attempt: z.int().min(1),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: "ExecutionSummary" });
export type ExecutionSummary = z.infer<typeof executionSummary>;

/** The place in the queue of an execution that has not begun, and the reason why it waits. */
export const queuePlace = z.object({
  reason: z.enum(["worker", "workspace_limit", "workflow_limit"]).meta({
    description:
      "`worker`: no worker has claimed it yet. `workspace_limit`: the workspace has reached its limit of concurrent executions. `workflow_limit`: the workflow has reached its limit for the concurrency key of this execution.",
  }),
  before: z.int().min(0).meta({
    description:
      "The executions of the workspace that come first, counted up to 10,000; for `workflow_limit`, those of its group.",
  }),
});
export type QueuePlace = z.infer<typeof queuePlace>;

export const execution = executionSummary
  .extend({
    input: json,
    output: json,
    /** All questions that can be answered now. A run may have open questions while its other branches continue. */
    suspensions: z.array(suspension).optional(),
    queue: queuePlace.optional().meta({ description: "Set when a pending execution is read by its id." }),
  })
  .meta({ id: "Execution" });
export type Execution = z.infer<typeof execution>;

export const LOG_EVENTS = [
  "execution.started",
  "execution.suspended",
  "execution.resumed",
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "execution.compensating",
  "execution.compensated",
  "step.started",
  "step.completed",
  "step.failed",
  "step.retrying",
  "step.skipped",
  "step.log",
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

/** The final events of a log. After one of them the execution never changes, and its event stream ends. */
export const FINAL_EVENTS: ReadonlySet<string> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
]);

/** The event for text that a model is writing. It has no id and is not stored. */
export const WORDS_EVENT = "step.delta";

export const stepWords = z.object({
  nodeId: z.string(),
  path: path.optional(),
  turn: z.int().min(1).nullable().meta({ description: "The turn of an agent. Null for other steps." }),
  at: z
    .int()
    .min(0)
    .meta({ description: "The position of the text in the model's text. It replaces everything from there on." }),
  text: z.string(),
});
export type StepWords = z.infer<typeof stepWords>;

export const LOG_LEVELS = ["info", "warn", "error"] as const;

export const logEntry = z
  .object({
    seq: z.int().min(1),
    executionId: id,
    nodeId: z.string().nullable(),
    nodeType: z.string().nullable(),
    path: path.optional(),
    attempt: z.int().min(1).nullable(),
    event: z.enum(LOG_EVENTS),
    level: z.enum(LOG_LEVELS),
    message: z.string(),
    input: json.optional(),
    output: json.optional(),
    inputBytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "The size of the input as JSON, where it was left out." }),
    outputBytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "The size of the output as JSON, where it was left out." }),
    error: executionError.optional(),
    /** The execution that the step started. */
    childExecutionId: id.optional(),
    at: timestamp,
    durationMs: z.number().min(0).optional(),
  })
  .meta({ id: "LogEntry" });
export type LogEntry = z.infer<typeof logEntry>;

/** The result of testing one step. Nothing is stored. */
export const stepTest = z
  .object({
    nodeId: z.string(),
    nodeType: z.string(),
    outcome: z.enum(["completed", "failed", "waits"]),
    output: json,
    /** The handle through which the run would leave the step. */
    handle: z.string().nullable(),
    error: executionError.nullable(),
    /** The question that the step would ask, if it asks one. */
    suspension: suspension.optional(),
    log: z.array(z.object({ level: z.enum(["info", "warn", "error"]), message: z.string() })),
    durationMs: z.number().min(0),
  })
  .meta({ id: "StepTest" });
export type StepTest = z.infer<typeof stepTest>;
