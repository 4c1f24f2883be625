import type { ServiceBroker } from "moleculer";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isSecret } from "./secret.ts";
import { type WebhookDoc, webhooks } from "./model.ts";

/** What the actions of this service use. */
export interface WebhooksService extends WithStore, WithHashKey {
  logger: ServiceBroker["logger"];
  publicUrl: string;
}

/** The webhook with this id and this secret. The document is shared and must not be changed. */
export async function findOpen(
  { store, hashKey }: WebhooksService,
  { id, secret }: { id: string; secret: string },
): Promise<Readonly<WebhookDoc> | null> {
  // The sender of a delivery does not name a workspace.
  const webhook = await store.acrossTenants(webhooks).shared({ id });
  return isSecret(hashKey, secret, webhook?.secretHash) ? webhook : null;
}
