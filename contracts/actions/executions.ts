import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import {
  execution,
  executionSummary,
  LOG_EVENTS,
  LOG_LEVELS,
  logEntry,
  response,
  RUN_SORTS,
  startedByKey,
  trigger,
} from "../entities/execution.ts";
import { file } from "../entities/file.ts";
import { labels, onConflict, runKey } from "../entities/run-identity.ts";
import { executionStats } from "../entities/execution-stats.ts";
import { fileName } from "./files.ts";
import { versionNumber } from "../entities/workflow.ts";
import { runFilters } from "./run-filters.ts";
import { count, countedPage, id, json, MAX_PAGE, moment, nothing, page, pageInput, several } from "../primitives.ts";

/** The longest time that a caller may wait for the end of a run, with the header `Prefer: wait=<seconds>`. */
export const MAX_WAIT_MS = 60_000;

/** Whether log entries include their payloads. */
export const payloads = z.boolean().default(true).meta({
  description:
    "`false` leaves out `input`, `output` and `error.details`, and gives `inputBytes` and `outputBytes` instead.",
});

export const itemOfPath = z.strictObject({ nodeId: z.string().max(200), index: count(0) });
const question = z
  .string()
  .min(1)
  .max(50)
  .optional()
  .meta({ description: "The value from the suspension. The answer is refused if that question is no longer open." });

/** Where a retry begins, and which version it runs. */
const retryBeginning = {
  fromNode: z.string().min(1).max(200).optional(),
  fromStart: z.boolean().default(false),
  version: z.enum(["original", "latest"]).default("original"),
};
const stepIds = (description: string) => z.array(z.string()).meta({ description });
const retryPlan = z
  .object({
    version: versionNumber,
    kept: stepIds("Steps whose results the retry keeps."),
    continued: stepIds("Maps, loops and other steps that go on where they were."),
    runs: stepIds("Steps that run again, or for the first time."),
  })
  .meta({ id: "RetryPlan", description: "What a retry does with the top-level steps." });

const runListing = {
  ...runFilters,
  sort: z.enum(RUN_SORTS).default("-createdAt").meta({
    description:
      "`createdAt` lists the oldest first. `-finishedAt` and `finishedAt` list executions that have ended, by their end, and `-durationMs` and `durationMs` by the time from start to end, which is 0 if they never started. Then only `status` has an index.",
  }),
  count: z.boolean().default(false).meta({
    description:
      "With `true`, the header `X-Total-Count` contains the number of matches, up to 10,000. Filters without an index examine at most 10,000 executions. `X-Total-Count-Min: true` means that there may be more matches.",
  }),
  ...pageInput,
};

const statsRange = {
  from: moment.optional().meta({ description: "Default: 30 days before `to`. The whole UTC day counts." }),
  to: moment.optional().meta({ description: "Default: now. The whole UTC day counts." }),
};

export const executionsActions = {
  "executions.start": inSpace(
    "editor",
    {
      workflowId: id,
      input: json.default(null),
      version: versionNumber.optional(),
      key: runKey.optional(),
      onConflict: onConflict.optional().meta({
        description:
          "What happens if an open run of the workflow has the key: `return` answers 200 with that run, `reject` answers 409, `cancel` cancels it first. Default: what the workflow's settings say, or `return`.",
      }),
      labels: labels.optional(),
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
    },
    execution,
  ),
  /** Labels replace those of the run. Errors: not_found. */
  "executions.update": inSpace(
    "editor",
    { id, labels: labels.optional(), note: z.string().max(2_000).nullable().optional() },
    execution,
  ),
  "executions.list": inSpace("viewer", runListing, countedPage(executionSummary)),
  /** The executions of all spaces, or of one. */
  "executions.listAll": inWorkspace("viewer", { spaceId: id.optional(), ...runListing }, countedPage(executionSummary)),
  "executions.stats": inSpace("viewer", { workflowId: id.optional(), ...statsRange }, executionStats),
  /** The statistics of all spaces together. */
  "executions.statsAll": inWorkspace("viewer", { workflowId: id.optional(), ...statsRange }, executionStats),
  "executions.get": inSpace("viewer", { id }, execution),
  /** The state that clients poll while they follow a run. It does not include input and output, which may be large. */
  "executions.progress": inSpace("viewer", { id }, execution.pick({ finishedAt: true })),
  /**
   * Oldest first unless `order` says otherwise. With a filter, one page examines a few thousand entries, so it may
   * contain few or no entries although a next page exists.
   */
  "executions.logs": inSpace(
    "viewer",
    {
      id,
      after: count(0).optional().meta({ description: "Only entries with a greater `seq`." }),
      payloads,
      nodeId: z.string().min(1).max(200).optional().meta({ description: "Only entries of this step." }),
      path: z
        .array(itemOfPath)
        .max(10)
        .optional()
        .meta({ description: "Only entries of these map items; an empty list: only those outside of maps." }),
      level: several(z.enum(LOG_LEVELS)).optional(),
      event: several(z.enum(LOG_EVENTS)).optional(),
      q: z.string().min(1).max(200).optional().meta({ description: "Only entries whose message contains this text." }),
      order: z.enum(["asc", "desc"]).default("asc"),
      ...pageInput,
    },
    page(logEntry),
  ),
  "executions.logEntry": inSpace("viewer", { id, seq: count(1) }, logEntry),
  /** Editors may answer any question, viewers those that name them. Errors: execution_not_suspended, role_too_low. */
  "executions.respond": inSpace(
    "viewer",
    {
      id,
      approved: z.boolean().default(true),
      data: json.optional(),
      nodeId: z.string().max(200).optional(),
      path: z.array(itemOfPath).max(10).optional(),
      question,
    },
    execution,
  ),
  /** Adds a file for the answer to an open question. Errors: execution_not_suspended, role_too_low. */
  "executions.files.begin": inSpace(
    "viewer",
    { id, name: fileName, contentType: z.string().max(200).optional() },
    z.object({ uploadId: id }),
  ),
  "executions.files.add": inSpace(
    "viewer",
    { id, name: fileName, contentType: z.string().max(200).optional(), upload: id },
    file,
  ),
  "executions.approve": inSpace("viewer", { id, question }, execution),
  /** With `purge`, removes a finished run. That takes the role admin. Errors: execution_finished, execution_not_removable, conflict, role_too_low. */
  "executions.cancel": inSpace(
    "editor",
    {
      id,
      purge: z.boolean().default(false).meta({
        description: "Removes a finished execution with its log, instead of cancelling one. Requires the role admin.",
      }),
      compensate: z.boolean().default(false).meta({
        description:
          "The execution first undoes its finished steps that name a compensation, and ends as cancelled after that.",
      }),
    },
    nothing,
  ),
  /**
   * Keeps finished steps and retries from the failed step. With `fromNode`, reruns that step and all steps that depend
   * on it. With `fromStart`, reruns everything, optionally with another input. Errors: execution_not_retryable,
   * validation_failed, not_found, workflow_trashed.
   */
  "executions.retry": inSpace(
    "editor",
    {
      id,
      ...retryBeginning,
      input: json
        .optional()
        .meta({ description: "With `fromStart`: the input of the new run, instead of the old one." }),
    },
    execution,
  ),
  /** What the same retry would keep and run. Changes nothing. Errors: validation_failed, not_found, workflow_trashed. */
  "executions.retryPlan": inSpace("viewer", { id, ...retryBeginning }, retryPlan),
  /**
   * Starts a run for a trigger. The caller chooses `id`: a second launch with the same id finds the first run and
   * starts nothing. `context` contains what expressions can read about the trigger besides its type and id. `response`
   * is set if a `respond` step runs within `waitMs`. The wait then ends, unless the caller waits for the end of the run
   * only. Errors: not_found, workflow_trashed.
   */
  "executions.launch": action(
    "internal",
    {
      id: id.optional(),
      workspaceId: id,
      spaceId: id,
      workflowId: id,
      version: z.union([versionNumber, z.literal("deployed")]).optional(),
      input: json.default(null),
      trigger,
      context: z.record(z.string(), json).default({}),
      startedBy: id,
      startedByKey: startedByKey.optional(),
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
      waitFor: z.enum(["respond", "end"]).default("respond"),
    },
    z.object({ execution, replayed: z.boolean(), response: response.nullable() }),
  ),
  /** Summaries of the executions that exist, each with the number of its open questions. */
  "executions.summaries": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_PAGE) },
    z.array(z.object({ summary: executionSummary, open: z.int().min(0) })),
    { reads: true },
  ),
  /** The space of an execution. Errors: not_found. */
  "executions.locate": action("internal", { workspaceId: id, id }, z.object({ spaceId: id }), { reads: true }),
  "executions.purge": action("internal", { workspaceId: id, spaceId: id.optional() }, nothing),
};
