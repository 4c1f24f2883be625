import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

const count = z.int().min(0);

const finishedByStatus = z.object({ completed: count, failed: count, cancelled: count });
const byStatus = finishedByStatus.extend({ pending: count, running: count, suspended: count });

const duration = z.int().min(0).nullable().meta({
  description:
    "The duration of finished executions from start to end, including waits. Exact below 64 ms, otherwise within 1.6 %. Null if no execution started.",
});

const finishedRuns = { byStatus: finishedByStatus, p50Ms: duration, p95Ms: duration };

export const executionStats = z
  .object({
    from: timestamp.meta({ description: "The start of the first day (UTC)." }),
    to: timestamp.meta({ description: "The end of the last day (UTC)." }),
    total: count.meta({ description: "The sum of `byStatus`." }),
    byStatus: byStatus.meta({
      description:
        "Finished executions count by their end, including deleted ones. The others count by their creation and current status, up to 50,000 of each status.",
    }),
    durations: z
      .object({ p50Ms: duration, p95Ms: duration })
      .nullable()
      .meta({ description: "Null if no execution started in the range." }),
    days: z
      .array(z.object({ day: z.iso.date(), ...finishedRuns }))
      .meta({ description: "Every day of the range, oldest first, with the executions that ended on it." }),
    workflows: z.array(z.object({ workflowId: id, ...finishedRuns })).meta({
      description: "The 100 workflows with the most executions that ended in the range, in descending order.",
    }),
  })
  .meta({ id: "ExecutionStats" });
export type ExecutionStats = z.infer<typeof executionStats>;
