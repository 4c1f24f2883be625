import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, optionalOrNull, string } from "../../adapters/store/field-types.ts";
import { webhook } from "../../contracts/entities/webhook.ts";
import { presenter } from "../../service-kit/present.ts";

export const webhooks = defineCollection({
  name: "webhooks",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    name: string(),
    /** A keyed hash of the secret. */
    secretHash: string(),
    createdBy: string(),
    createdAt: date(),
    lastTriggeredAt: optionalOrNull(date()),
  },
  indexes: [
    [{ workspaceId: 1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, _id: -1 }],
    [{ workspaceId: 1, workflowId: 1 }],
  ],
});
export type WebhookDoc = DocumentOf<typeof webhooks>;

/** `publicUrl` is the address of the API for clients, without a slash at the end. */
export const presentWebhook = presenter(webhook, webhooks, (doc, publicUrl: string) => ({
  url: `${publicUrl}/v1/webhooks/${doc.id}/trigger`,
}));
