import { z } from "zod";
import { action, inSpace } from "../define-action.ts";
import { execution, executionStatus, executionSummary, logEntry, response, trigger } from "../entities/execution.ts";
import { versionNumber } from "../entities/workflow.ts";
import { id, json, nothing, page, pageInput } from "../primitives.ts";

/** How long a caller may wait for the end of a run, by the header `Prefer: wait=<seconds>`. */
export const MAX_WAIT_MS = 60_000;

export const executionsActions = {
  "executions.start": inSpace(
    "editor",
    {
      workflowId: id,
      input: json.default(null),
      version: versionNumber.optional(),
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
    },
    execution,
  ),
  "executions.list": inSpace(
    "viewer",
    { workflowId: id.optional(), status: executionStatus.optional(), ...pageInput },
    page(executionSummary),
  ),
  "executions.get": inSpace("viewer", { id }, execution),
  /** Oldest first; `after` is the last seq that the caller knows. */
  "executions.logs": inSpace("viewer", { id, after: z.int().min(0).optional(), ...pageInput }, page(logEntry)),
  "executions.respond": inSpace(
    "editor",
    { id, approved: z.boolean().default(true), data: json.optional(), nodeId: z.string().max(200).optional() },
    execution,
  ),
  "executions.approve": inSpace("editor", { id }, execution),
  "executions.cancel": inSpace("editor", { id }, nothing),
  "executions.retry": inSpace("editor", { id }, execution),
  /**
   * Starts a run for a trigger. `id` is chosen by the caller: a second launch with it finds the first and starts nothing.
   * `context` is what expressions see of the trigger beside its type and id. `response` is there once a `respond` step has
   * run within `waitMs`, which is where waiting ends. Errors: not_found, workflow_trashed.
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
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
    },
    z.object({ execution, replayed: z.boolean(), response: response.nullable() }),
  ),
  "executions.purge": action("internal", { workspaceId: id, spaceId: id.optional() }, nothing),
};
