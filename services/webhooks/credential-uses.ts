import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { webhooks } from "./model.ts";

/** The bound of one answer. */
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
