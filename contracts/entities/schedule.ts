import { z } from "zod";
import { id, json, revision, slugInSpace, timestamp } from "../primitives.ts";
import { zoneName } from "../zone-name.ts";

export const cronExpr = z
  .string()
  .max(512)
  .meta({
    description: "Minute, hour, day of month, month and day of week. Each is `*`, a number, name, range, list or step.",
    examples: ["*/15 9-17 * * mon-fri"],
  });

export const timezone = z
  .string()
  .max(64)
  .overwrite(zoneName)
  .meta({ description: "The IANA time zone that the fields of `cronExpr` are in.", examples: ["Europe/Berlin"] });

/** Why an enabled schedule starts no runs. */
const restingReason = z.enum(["workflow_trashed", "workflow_deleted"]);
export type RestingReason = z.infer<typeof restingReason>;

export const schedule = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    workflowId: id,
    workflowName: z.string().optional().meta({ description: "In lists, while the workflow exists." }),
    slug: slugInSpace,
    cronExpr,
    timezone,
    input: json,
    enabled: z.boolean(),
    /** The schedule continues by itself when the workflow is restored. */
    restingReason: restingReason.nullable(),
    /** Null while the schedule is disabled or resting. */
    nextRunAt: timestamp.nullable(),
    lastRunAt: timestamp.nullable(),
    lastExecutionId: id.nullable(),
    createdBy: id,
    createdByName: z.string().optional().meta({ description: "In lists. Also set for former members." }),
    createdAt: timestamp,
    updatedAt: timestamp,
    revision,
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof schedule>;
