import { MAX_WAIT_MS } from "../../contracts/actions/executions.ts";
import { call, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { newId } from "../../service-kit/new-id.ts";
import { type WebhookDoc, webhooks } from "./model.ts";
import { presentDelivered } from "./present-delivered.ts";
import { findOpen, type WebhooksService } from "./service.ts";

const NOTED_EVERY_MS = 1_000;
/** The time that remains for the launch itself after its caller's wait. */
const MARGIN_MS = 7_000;

/** Records the delivery, at most once a second, so that a busy webhook does not cause a write each time. */
async function note({ store, logger }: WebhooksService, webhook: Readonly<WebhookDoc>): Promise<void> {
  const { id, workspaceId, lastTriggeredAt = null } = webhook;
  const now = new Date();
  if (lastTriggeredAt && now.getTime() - lastTriggeredAt.getTime() < NOTED_EVERY_MS) return;
  try {
    // Of many concurrent deliveries only one writes.
    const all = store.tenant(webhooks, workspaceId);
    await all.updateOne({ id, lastTriggeredAt }, { $set: { lastTriggeredAt: now } });
  } catch (error) {
    logger.warn("It could not be noted when a webhook was triggered.", error);
  }
}

export const trigger = handle<"webhooks.trigger", WebhooksService>(
  "webhooks.trigger",
  async function (ctx) {
    const { id, input, headers, query, waitMs } = ctx.params;
    const webhook = await findOpen(this, ctx.params);
    if (!webhook) throw new AppError("invalid_webhook_secret");
    const { workspaceId, spaceId, workflowId, createdBy: startedBy } = webhook;
    const launching = call(
      ctx,
      "executions.launch",
      {
        id: newId(ctx),
        ...{ workspaceId, spaceId, workflowId, input, startedBy, waitMs },
        version: "deployed",
        trigger: { type: "webhook", id },
        context: { headers, query },
      },
      { timeout: waitMs + MARGIN_MS },
    );
    const [{ execution, response }] = await Promise.all([launching, note(this, webhook)]);
    return { execution: presentDelivered(execution), response };
  },
  { timeout: MAX_WAIT_MS + MARGIN_MS },
);
