import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

const count = z.int().min(0);

const finishedByStatus = z.object({ completed: count, failed: count, cancelled: count });
const byStatus = finishedByStatus.extend({ pending: count, running: count, suspended: count });

const duration = z.int().min(0).nullable().meta({
  description:
    "of finished runs, from their start to their end, waits included; within 1.6 %, exact below 64 ms; null where none had started",
});

const finishedRuns = { byStatus: finishedByStatus, p50Ms: duration, p95Ms: duration };

export const executionStats = z
  .object({
    from: timestamp.meta({ description: "the beginning of the first day that counts (UTC)" }),
    to: timestamp.meta({ description: "the end of the last one" }),
    total: count.meta({ description: "the sum of `byStatus`" }),
    byStatus: byStatus.meta({
      description:
        "finished runs by when they ended, removed ones included; the others as they are now, by when they were created, of each status up to 50,000",
    }),
    durations: z
      .object({ p50Ms: duration, p95Ms: duration })
      .nullable()
      .meta({ description: "null where none had started" }),
    days: z
      .array(z.object({ day: z.iso.date(), ...finishedRuns }))
      .meta({ description: "every day of the range, oldest first, with the runs that ended on it" }),
    workflows: z
      .array(z.object({ workflowId: id, ...finishedRuns }))
      .meta({ description: "the 100 with most runs that ended in the range, most first" }),
  })
  .meta({ id: "ExecutionStats" });
export type ExecutionStats = z.infer<typeof executionStats>;
