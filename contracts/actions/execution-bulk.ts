import { z } from "zod";
import { inSpace } from "../define-action.ts";
import { BULK_ACTIONS, bulkJob, MAX_BULK_RUNS } from "../entities/bulk-job.ts";
import { id, nothing } from "../primitives.ts";
import { runFilters } from "./run-filters.ts";

export const executionBulkActions = {
  /** Takes either `ids` or `filter`. Deleting requires the role admin. Errors: limit_reached, role_too_low. */
  "executions.bulk.start": inSpace(
    "editor",
    {
      action: z.enum(BULK_ACTIONS),
      ids: z.array(id).min(1).max(MAX_BULK_RUNS).optional(),
      filter: z.strictObject(runFilters).optional().meta({
        description:
          "The executions that a list with these filters contains. Without `status`: all to which the action applies. A retry skips executions that have already been retried.",
      }),
      options: z
        .strictObject({
          fromStart: z.boolean().optional(),
          version: z.enum(["original", "latest"]).optional(),
          compensate: z.boolean().optional(),
        })
        .default({})
        .meta({ description: "`compensate` is for `cancel`, the others are for `retry`." }),
    },
    bulkJob,
  ),
  "executions.bulk.get": inSpace("viewer", { id }, bulkJob),
  /** Completed parts are not undone. A job that has ended does not change. Errors: not_found. */
  "executions.bulk.cancel": inSpace("editor", { id }, nothing),
};
