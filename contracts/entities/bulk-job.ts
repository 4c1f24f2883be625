import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

export const BULK_ACTIONS = ["cancel", "retry", "delete"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The most runs of one bulk job, and the most errors that it shows. */
export const MAX_BULK_RUNS = 10_000;
export const MAX_BULK_ERRORS = 100;

export const bulkError = z.object({ executionId: id, code: z.string(), message: z.string() });
export type BulkError = z.infer<typeof bulkError>;

export const bulkStatus = z.enum(["running", "done", "cancelled"]);

/** An action on many executions, which runs in the background. */
export const bulkJob = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    action: z.enum(BULK_ACTIONS),
    status: bulkStatus,
    total: z.int().min(0).meta({ description: "The number of executions that the job takes." }),
    more: z
      .boolean()
      .meta({ description: "Whether the filter matches more executions than one job takes. The newest are taken." }),
    done: z.int().min(0),
    failed: z.int().min(0),
    errors: z.array(bulkError).meta({ description: `The first ${MAX_BULK_ERRORS} failures.` }),
    startedBy: id,
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: "BulkJob" });
export type BulkJob = z.infer<typeof bulkJob>;
