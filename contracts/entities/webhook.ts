import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { execution, suspension } from "./execution.ts";

export const webhook = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    workflowId: id,
    workflowName: z.string().optional().meta({ description: "In lists, while the workflow exists." }),
    name,
    /** The address to which deliveries are posted. */
    url: z.url(),
    createdBy: id,
    createdByName: z.string().optional().meta({ description: "In lists. Former members have one too." }),
    createdAt: timestamp,
    /** Rounded to the second. */
    lastTriggeredAt: timestamp.nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

/** The secret is never shown again: to change it, delete the webhook and make a new one. */
export const newWebhook = webhook.extend({ secret: z.string() }).meta({ id: "NewWebhook" });

/**
 * The execution as the sender of a delivery sees it. A sender is often a third party that knows only the secret, so
 * this leaves out the users behind the workflow and the data that was sent.
 */
export const deliveredExecution = execution
  .omit({ startedBy: true, startedByName: true, workflowName: true, input: true, parent: true })
  .extend({
    suspension: suspension.omit({ assignees: true }).optional(),
    suspensions: z.array(suspension.omit({ assignees: true })).optional(),
  })
  .meta({ id: "DeliveredExecution" });
export type DeliveredExecution = z.infer<typeof deliveredExecution>;

/**
 * The headers and the query of a delivery, for expressions, without credentials. A name that occurs more than once has
 * a list.
 */
export const deliveryFields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type DeliveryFields = z.infer<typeof deliveryFields>;
