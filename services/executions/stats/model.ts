import { Schema } from "../../../adapters/store/schema.ts";
import { defineCollection } from "../../../adapters/store/define-collection.ts";
import type { RunStats } from "../../../core/stats/run-stats.ts";

/** The runs of one space that finished on one UTC day. */
export interface DayStatsDoc extends RunStats {
  /** Made of the rest, so that there is one and ranges of days are ranges of ids. */
  id: string;
  workspaceId: string;
  /** How often runs were taken in: whoever takes some in has to find it as it was. */
  seq: number;
  /** The runs that were taken in last, until all that has to know of them does. */
  taken?: string[];
}

/** Those of one workflow among them. */
export interface WorkflowStatsDoc extends RunStats {
  id: string;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  day: string;
  /** The sum of the counts, to find the busiest by. */
  runs: number;
  /** The `seq` of the day with which runs were last taken in here. */
  seq: number;
}

// Ids begin with workspace and space, so all that is asked of one of these is a range of ids.
export const spaceRange = (workspaceId: string, spaceId?: string) => {
  const prefix = spaceId === undefined ? workspaceId : `${workspaceId}:${spaceId}`;
  return { $gte: `${prefix}:`, $lt: `${prefix};` };
};
export const dayStatsId = (workspaceId: string, spaceId: string, day: string) => `${workspaceId}:${spaceId}:${day}`;
export const workflowStatsId = (workspaceId: string, spaceId: string, workflowId: string, day: string) =>
  `${workspaceId}:${spaceId}:${workflowId}:${day}`;

const count = { type: Number, required: true };
const runStats = {
  completed: count,
  failed: count,
  cancelled: count,
  durations: { type: String, json: true },
  seq: count,
};

export const DayStats = defineCollection<DayStatsDoc>({
  name: "executionDayStats",
  schema: new Schema({ ...runStats, taken: { type: [String], default: undefined } }),
  tenant: true,
});

const name = { type: String, required: true };

export const WorkflowStats = defineCollection<WorkflowStatsDoc>({
  name: "executionWorkflowStats",
  schema: new Schema({ ...runStats, spaceId: name, workflowId: name, day: name, runs: count }).index({
    spaceId: 1,
    day: 1,
    runs: -1,
  }),
  tenant: true,
});
