import type { ServiceBroker } from "moleculer";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { WithFiles } from "../../service-kit/files.mixin.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type WebhookDoc, webhooks } from "./model.ts";

/** What the actions of this service use. */
export interface WebhooksService extends WithStore, WithFiles, WithHashKey {
  logger: ServiceBroker["logger"];
  sealer: Sealer;
  publicUrl: string;
  /**
   * The key of a credential of the type `hmac`, in the webhook's space.
   * @throws {AppError} validation_failed when there is no such credential, unavailable
   */
  keyOf(webhook: Pick<WebhookDoc, "workspaceId" | "spaceId">, credential: string): Promise<string>;
}

/**
 * The webhook of a delivery. Its sender does not know the workspace. The document is shared and must not be changed.
 */
export const findAnywhere = ({ store }: WebhooksService, id: string): Promise<Readonly<WebhookDoc> | null> =>
  store.acrossTenants(webhooks).shared({ id });
