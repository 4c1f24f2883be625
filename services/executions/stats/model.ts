import { defineCollection } from "../../../adapters/store/define-collection.ts";
import { json, number, optional, string, strings } from "../../../adapters/store/field-types.ts";
import type { RunStats } from "../../../core/stats/run-stats.ts";

// Ids begin with workspace and space, so every query is for a range of ids.
export const spaceRange = (workspaceId: string, spaceId?: string) => {
  const prefix = spaceId === undefined ? workspaceId : `${workspaceId}:${spaceId}`;
  return { $gte: `${prefix}:`, $lt: `${prefix};` };
};
export const dayStatsId = (workspaceId: string, spaceId: string, day: string) => `${workspaceId}:${spaceId}:${day}`;
export const workflowStatsId = (workspaceId: string, spaceId: string, workflowId: string, day: string) =>
  `${workspaceId}:${spaceId}:${workflowId}:${day}`;

const runStats = {
  completed: number(),
  failed: number(),
  cancelled: number(),
  durations: json<RunStats["durations"]>(),
};

/**
 * The runs of one space that finished on one UTC day. The id is derived from both, so a range of days is a range of
 * ids.
 */
export const DayStats = defineCollection({
  name: "executionDayStats",
  tenant: true,
  fields: {
    ...runStats,
    /** Increases with each count. An update requires the number that it has read. */
    seq: number(),
    /** The runs that were counted last, until all documents that count them are updated. */
    taken: optional(strings()),
  },
});

/** The runs of one workflow that finished on one UTC day. */
export const WorkflowStats = defineCollection({
  name: "executionWorkflowStats",
  tenant: true,
  fields: {
    ...runStats,
    spaceId: string(),
    workflowId: string(),
    day: string(),
    /** The sum of the counts. It sorts the workflows by how busy they are. */
    runs: number(),
    /** The `seq` of the day at the last count of runs here. */
    seq: number(),
  },
  indexes: [[{ spaceId: 1, day: 1, runs: -1 }]],
});
