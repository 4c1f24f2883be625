import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { Webhook } from "../../contracts/entities/webhook.ts";

export interface WebhookDoc {
  id: string;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  name: string;
  /** A keyed hash of the secret. */
  secretHash: string;
  createdBy: string;
  createdAt: Date;
  lastTriggeredAt?: Date | null;
}

const webhook = new Schema({
  spaceId: { type: String, required: true },
  workflowId: { type: String, required: true },
  name: { type: String, required: true },
  secretHash: { type: String, required: true },
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  lastTriggeredAt: Date,
});
webhook.index({ workspaceId: 1, spaceId: 1, _id: -1 });
webhook.index({ workspaceId: 1, workflowId: 1 });

export const webhooks = defineCollection<WebhookDoc>({ name: "webhooks", schema: webhook, tenant: true });

/** `publicUrl` is where clients reach the API, without a slash at its end. */
export const presentWebhook = (doc: WebhookDoc, publicUrl: string): Webhook => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  spaceId: doc.spaceId,
  workflowId: doc.workflowId,
  name: doc.name,
  url: `${publicUrl}/v1/webhooks/${doc.id}/trigger`,
  createdBy: doc.createdBy,
  createdAt: doc.createdAt.toISOString(),
  lastTriggeredAt: doc.lastTriggeredAt?.toISOString() ?? null,
});
