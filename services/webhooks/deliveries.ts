import { v7 as uuid } from "uuid";
import type { NotedDelivery } from "../../contracts/actions/webhooks.ts";
import { handle } from "../../contracts/call.ts";
import { MAX_DELIVERIES, type WebhookDelivery } from "../../contracts/entities/webhook.ts";
import { notFound } from "../../contracts/errors.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { deliveries, webhooks } from "./model.ts";
import type { WebhooksService } from "./service.ts";

/** Each failed attempt means that another node recorded deliveries of the same webhook. */
const MAX_ATTEMPTS = 10;
/** Anyone can cause unauthenticated deliveries, so they must not displace all others. */
const MAX_UNAUTHENTICATED = MAX_DELIVERIES / 2;
const UNAUTHENTICATED = 401;

/** The newest deliveries, newest first. */
function newest(all: readonly WebhookDelivery[]): WebhookDelivery[] {
  const sorted = all.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  let strangers = 0;
  return sorted
    .filter(({ status }) => status !== UNAUTHENTICATED || ++strangers <= MAX_UNAUTHENTICATED)
    .slice(0, MAX_DELIVERIES);
}

async function noteOne(
  { store }: WebhooksService,
  workspaceId: string,
  id: string,
  added: readonly WebhookDelivery[],
): Promise<void> {
  const webhook = await store.tenant(webhooks, workspaceId).get({ id });
  if (!webhook) return;
  const { spaceId, workflowId } = webhook;
  const all = store.tenant(deliveries, workspaceId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await all.get({ id });
    const fresh = { last: newest([...(old?.last ?? []), ...added]), revision: uuid() };
    if (old) {
      if (await all.updateOne({ id, revision: old.revision }, { $set: fresh })) return;
      continue;
    }
    try {
      await all.insert({ id, workspaceId, spaceId, workflowId, ...fresh });
      return;
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
}

export const noteDeliveries = handle<"webhooks.noteDeliveries", WebhooksService>(
  "webhooks.noteDeliveries",
  async function (ctx) {
    const byWebhook = Map.groupBy(ctx.params.deliveries, ({ workspaceId, webhookId }: NotedDelivery) =>
      [workspaceId, webhookId].join(" "),
    );
    await Promise.all(
      [...byWebhook.values()].map(async noted => {
        const [{ workspaceId, webhookId } = { workspaceId: "", webhookId: "" }] = noted;
        const added = noted.map(({ workspaceId: _workspace, webhookId: _webhook, ...delivery }) => delivery);
        await noteOne(this, workspaceId, webhookId, added);
      }),
    );
    return null;
  },
);

export const listDeliveries = handle<"webhooks.deliveries", WebhooksService>(
  "webhooks.deliveries",
  async function (ctx) {
    const { workspaceId, spaceId, id } = ctx.params;
    if (!(await this.store.tenant(webhooks, workspaceId).get({ id, spaceId }))) throw notFound("webhook");
    const noted = await this.store.tenant(deliveries, workspaceId).get({ id });
    return { items: noted?.last ?? [], next: null };
  },
);
