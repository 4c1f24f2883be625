import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { execution, suspension } from "./execution.ts";

export const webhook = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    workflowId: id,
    name,
    /** Where deliveries are posted. */
    url: z.url(),
    createdBy: id,
    createdAt: timestamp,
    /** To the second. */
    lastTriggeredAt: timestamp.nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

/** The secret is never shown again: to change it, delete the webhook and make a new one. */
export const newWebhook = webhook.extend({ secret: z.string() }).meta({ id: "NewWebhook" });

/**
 * The execution as the sender of a delivery sees it. A sender is often a third party that knows the secret and nothing more: it
 * learns neither which users are behind the workflow nor what it sent itself.
 */
export const deliveredExecution = execution
  .omit({ startedBy: true, input: true, parent: true })
  .extend({
    suspension: suspension.omit({ assignees: true }).optional(),
    suspensions: z.array(suspension.omit({ assignees: true })).optional(),
  })
  .meta({ id: "DeliveredExecution" });
export type DeliveredExecution = z.infer<typeof deliveredExecution>;

/** What came with a delivery, for expressions: without credentials. A name that came more than once has a list. */
export const deliveryFields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type DeliveryFields = z.infer<typeof deliveryFields>;
