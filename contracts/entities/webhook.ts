import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";

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

/** What came with a delivery, for expressions: without credentials. A name that came more than once has a list. */
export const deliveryFields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type DeliveryFields = z.infer<typeof deliveryFields>;
