import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

/** How long a report of presence is valid, in ms. Pages report every 20 seconds. */
export const PRESENCE_MS = 30_000;
/** The most people in a response. */
export const MAX_PRESENT = 50;

export const presence = z.object({
  userId: id,
  name: z.string().optional(),
  editing: z.boolean().meta({ description: "Whether the person has changes that are not saved." }),
  nodeId: z.string().nullable().meta({ description: "The step that the person has selected." }),
  since: timestamp,
  until: timestamp.meta({ description: "When the report expires, unless it is repeated." }),
});
export type Presence = z.infer<typeof presence>;

/** The people who have a workflow open, in the order in which they opened it. */
export const workflowPresence = z
  .object({ workflowId: id, spaceId: id, present: z.array(presence) })
  .meta({ id: "WorkflowPresence" });
export type WorkflowPresence = z.infer<typeof workflowPresence>;
