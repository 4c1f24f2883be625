import { call, handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { webhooks } from "./model.ts";
import type { ServiceBroker } from "moleculer";
import { AppError } from "../../contracts/errors.ts";
import { CredentialTransit, isUnusable } from "../../service-kit/credential-transit.ts";
import type { WebhooksService } from "./service.ts";

/** The limit of one response. */
const MAX_WEBHOOKS = 1_000;

export const usingCredentials = handle<"webhooks.usingCredentials", WithStore>(
  "webhooks.usingCredentials",
  async function (ctx) {
    const { workspaceId, ids } = ctx.params;
    const filter = { credentialId: { $in: ids } };
    const { items } = await this.store
      .tenant(webhooks, workspaceId)
      .find(filter, { sort: { id: -1 }, limit: MAX_WEBHOOKS });
    const uses = items.map(({ id, name, spaceId, workflowId, credentialId }) => {
      return { key: credentialId ?? "", kind: "webhook" as const, id, name, spaceId, workflowId, deployed: true };
    });
    return { uses };
  },
);

const OPEN_TIMEOUT_MS = 4_000;

const notUsable = () =>
  new AppError("validation_failed", {
    errors: [{ path: "/auth/credential", message: "Expected a credential of the type hmac for this space" }],
  });

/** Reads the keys of credentials for webhooks. */
export function credentialKeys(broker: ServiceBroker): WebhooksService["keyOf"] {
  const transit = new CredentialTransit();
  return async ({ workspaceId, spaceId }, id) => {
    try {
      const answer = await call(broker, "credentials.open", { workspaceId, spaceId, id }, { timeout: OPEN_TIMEOUT_MS });
      const { type, data } = transit.unpack(answer);
      if (type === "hmac" && typeof data.key === "string") return data.key;
    } catch (error) {
      if (!isUnusable(error)) throw error;
    }
    throw notUsable();
  };
}
