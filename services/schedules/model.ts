import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { RestingReason, Schedule } from "../../contracts/entities/schedule.ts";

export interface ScheduleDoc {
  id: string;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  cronExpr: string;
  input: unknown;
  /** About the size of the input as JSON. */
  bytes: number;
  enabled: boolean;
  /** The next due minute; there is none while it is disabled. It goes on while the workflow is in the trash. */
  nextRunAt?: Date;
  /** What the clock showed when `nextRunAt` was found. */
  countedFrom?: Date;
  lastRunAt?: Date | null;
  lastExecutionId?: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const schedule = new Schema({
  spaceId: { type: String, required: true },
  workflowId: { type: String, required: true },
  cronExpr: { type: String, required: true },
  input: { type: String, json: true },
  bytes: { type: Number, required: true },
  enabled: { type: Boolean, required: true },
  nextRunAt: Date,
  countedFrom: Date,
  lastRunAt: Date,
  lastExecutionId: String,
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
schedule.index({ workspaceId: 1, spaceId: 1, _id: -1 });
schedule.index({ workspaceId: 1, workflowId: 1 });
schedule.index({ nextRunAt: 1, _id: 1 }, { partialFilterExpression: { nextRunAt: { $exists: true } } });
schedule.index({ countedFrom: 1, _id: 1 }, { partialFilterExpression: { countedFrom: { $exists: true } } });

export const schedules = defineCollection<ScheduleDoc>({ name: "schedules", schema: schedule, tenant: true });

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

export const presentSchedule = (doc: ScheduleDoc, restingReason: RestingReason | null): Schedule => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  spaceId: doc.spaceId,
  workflowId: doc.workflowId,
  cronExpr: doc.cronExpr,
  input: doc.input ?? null,
  enabled: doc.enabled,
  restingReason,
  nextRunAt: restingReason ? null : iso(doc.nextRunAt),
  lastRunAt: iso(doc.lastRunAt),
  lastExecutionId: doc.lastExecutionId ?? null,
  createdBy: doc.createdBy,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});
