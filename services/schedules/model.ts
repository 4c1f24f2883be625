import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import { boolean, date, json, number, optional, optionalOrNull, string } from "../../adapters/store/field-types.ts";
import { type RestingReason, schedule } from "../../contracts/entities/schedule.ts";
import { presenter } from "../../service-kit/present.ts";
import { REVISION_FIELDS, revisionOf } from "../../service-kit/revisions.ts";
import { SLUG_FIELDS, SLUG_INDEX } from "../../service-kit/slugs.ts";

export const schedules = defineCollection({
  name: "schedules",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    cronExpr: string(),
    /** Absent means UTC. */
    timezone: optional(string()),
    input: json(),
    /** The size of the input as JSON, in bytes. Lists use the sum to limit their response. */
    bytes: number(),
    enabled: boolean(),
    /**
     * The next due minute. Unset while the schedule is disabled. While the workflow is in the trash, it is still
     * updated.
     */
    nextRunAt: optional(date()),
    /** The time of the node's clock when the node computed `nextRunAt`. */
    countedFrom: optional(date()),
    lastRunAt: optionalOrNull(date()),
    lastExecutionId: optionalOrNull(string()),
    createdBy: string(),
    createdAt: date(),
    updatedAt: date(),
    ...SLUG_FIELDS,
    ...REVISION_FIELDS,
  },
  indexes: [
    SLUG_INDEX,
    [{ workspaceId: 1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, _id: -1 }],
    [{ workspaceId: 1, workflowId: 1 }],
    [{ nextRunAt: 1, _id: 1 }, where("nextRunAt")],
    [{ countedFrom: 1, _id: 1 }, where("countedFrom")],
  ],
});
export type ScheduleDoc = DocumentOf<typeof schedules>;

export const presentSchedule = presenter(schedule, schedules, (doc, restingReason: RestingReason | null) => ({
  restingReason,
  timezone: doc.timezone ?? "UTC",
  revision: revisionOf(doc),
  nextRunAt: restingReason ? null : (doc.nextRunAt?.toISOString() ?? null),
}));
