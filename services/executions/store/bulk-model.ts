import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  number,
  oneOf,
  optional,
  optionalOrNull,
  string,
  strings,
} from "../../../adapters/store/field-types.ts";
import { BULK_ACTIONS, bulkJob, type BulkError, bulkStatus } from "../../../contracts/entities/bulk-job.ts";
import type { StartedByKey } from "../../../contracts/entities/execution.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../../service-kit/outbox.ts";
import { presenter } from "../../../service-kit/present.ts";

export interface BulkOptions {
  fromStart?: boolean | undefined;
  version?: "original" | "latest" | undefined;
  compensate?: boolean | undefined;
}

/** An action on many executions. A running job has `leaseUntil`: until then the node `holder` works on it. */
export const BulkJobs = defineCollection({
  name: "bulkJobs",
  tenant: true,
  fields: {
    spaceId: string(),
    action: oneOf(BULK_ACTIONS),
    options: json<BulkOptions>(),
    status: oneOf(bulkStatus.options),
    total: number(),
    more: boolean(),
    done: number(),
    failed: number(),
    /** Mongoose reserves the name `errors`. */
    runErrors: json<BulkError[]>(),
    startedBy: string(),
    startedByKey: optional(json<StartedByKey>()),
    createdAt: date(),
    finishedAt: optionalOrNull(date()),
    leaseUntil: optional(date()),
    holder: optional(string()),
    /** How often in a row a turn failed, for example because the store could not be reached. */
    tries: number(),
    ...OUTBOX_FIELDS,
  },
  indexes: [
    [{ leaseUntil: 1, _id: 1 }, where("leaseUntil")],
    [{ workspaceId: 1, spaceId: 1, createdAt: -1, _id: -1 }],
    [{ workspaceId: 1, leaseUntil: 1, _id: 1 }, where("leaseUntil")],
    [{ createdAt: 1, _id: 1 }],
    OUTBOX_INDEX,
  ],
});
export type BulkJobDoc = DocumentOf<typeof BulkJobs>;

/** The executions of a job, in its order, apart from the job because they never change. Their id is the job's. */
export const BulkRuns = defineCollection({
  name: "bulkRuns",
  tenant: true,
  fields: { spaceId: string(), ids: strings(), createdAt: date() },
  indexes: [[{ workspaceId: 1, spaceId: 1, createdAt: -1, _id: -1 }], [{ createdAt: 1, _id: 1 }]],
});

export const presentJob = presenter(bulkJob, BulkJobs, ({ runErrors }) => ({ errors: runErrors }));
