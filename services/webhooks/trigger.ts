import type { Context } from "moleculer";
import { MAX_WAIT_MS } from "../../contracts/actions/executions.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import { type ActionContext, call, handle } from "../../contracts/call.ts";
import type { DeliveryFields } from "../../contracts/entities/webhook.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { DeliveryFacts, RequestHeaders } from "../../contracts/request.ts";
import { newId } from "../../service-kit/new-id.ts";
import { answerFor, presentDelivered } from "./answers.ts";
import { authenticate } from "./authenticate.ts";
import { authOf, respondOf, type WebhookDoc, webhooks } from "./model.ts";
import { isPass } from "./pass.ts";
import { findAnywhere, type WebhooksService } from "./service.ts";

const NOTED_EVERY_MS = 1_000;
/** The time for the launch itself, in addition to its caller's wait. */
const MARGIN_MS = 7_000;

/** Stores the time of the delivery, at most once a second, so that a busy webhook does not cause a write each time. */
async function note({ store, logger }: WebhooksService, webhook: Readonly<WebhookDoc>): Promise<void> {
  const { id, workspaceId, lastTriggeredAt = null } = webhook;
  const now = new Date();
  if (lastTriggeredAt && now.getTime() - lastTriggeredAt.getTime() < NOTED_EVERY_MS) return;
  try {
    // Of many concurrent deliveries only one writes.
    const all = store.tenant(webhooks, workspaceId);
    await all.updateOne({ id, lastTriggeredAt }, { $set: { lastTriggeredAt: now } });
  } catch (error) {
    logger.warn("The time at which a webhook was triggered could not be stored.", error);
  }
}

interface Delivery {
  input: unknown;
  headers: DeliveryFields;
  query: DeliveryFields;
  /** How long the sender wants to wait. */
  waitMs: number;
  method: string;
  rawBody?: string | undefined;
}

/**
 * What expressions can read about a delivery in addition to its body. The header with the webhook's secret is left out.
 */
function contextOf(webhook: Readonly<WebhookDoc>, { headers, query, method, rawBody }: Delivery) {
  const auth = authOf(webhook);
  const secret = auth.type === "header" ? auth.name : undefined;
  const shown = Object.entries(headers).filter(([name]) => name.toLowerCase() !== secret);
  return {
    headers: Object.fromEntries(shown),
    query,
    method,
    ...(webhook.keepRaw && rawBody !== undefined && { rawBody }),
  };
}

/** Starts the run of a delivery. Waits for it as the webhook or its sender requests. */
export async function launchDelivery(
  service: WebhooksService,
  ctx: Pick<ActionContext<"webhooks.trigger">, "call" | "locals">,
  webhook: Readonly<WebhookDoc>,
  delivery: Delivery,
): Promise<OutputOf<"webhooks.trigger">> {
  const { id, workspaceId, spaceId, workflowId, createdBy: startedBy } = webhook;
  const respond = respondOf(webhook);
  const waitMs = respond.mode === "execution" ? delivery.waitMs : "timeoutMs" in respond ? respond.timeoutMs : 0;
  const launching = call(
    ctx,
    "executions.launch",
    {
      id: newId(ctx),
      ...{ workspaceId, spaceId, workflowId, input: delivery.input, startedBy, waitMs },
      version: "deployed",
      trigger: { type: "webhook", id },
      context: contextOf(webhook, delivery),
      ...(respond.mode === "at_end" && { waitFor: "end" as const }),
    },
    { timeout: waitMs + MARGIN_MS },
  );
  const [launched] = await Promise.all([launching, note(service, webhook)]);
  return { execution: presentDelivered(launched.execution), response: answerFor(respond, launched) };
}

/** What the gateway knows about the delivery in addition to the action's input. */
const factsOf = (ctx: ActionContext<"webhooks.trigger">): DeliveryFacts =>
  (ctx as unknown as Context<unknown, object, object, RequestHeaders>).headers.delivery ?? {};

export const trigger = handle<"webhooks.trigger", WebhooksService>(
  "webhooks.trigger",
  async function (ctx) {
    const { id, secret, input, headers, query, waitMs } = ctx.params;
    const { pass, method = "POST", rawBody } = factsOf(ctx);
    const webhook = await findAnywhere(this, id);
    const isAdmitted =
      pass === undefined
        ? (await authenticate(this, webhook, { secret, headers: {} })).is === "admitted"
        : isPass(this.hashKey, id, pass);
    if (!webhook || !isAdmitted) throw new AppError("invalid_webhook_secret");
    if (webhook.enabled === false) throw notFound("webhook");
    return launchDelivery(this, ctx, webhook, { input, headers, query, waitMs, method, rawBody });
  },
  { timeout: MAX_WAIT_MS + MARGIN_MS },
);

export const test = handle<"webhooks.test", WebhooksService>(
  "webhooks.test",
  async function (ctx) {
    const { workspaceId, spaceId, id, input, headers, query } = ctx.params;
    const webhook = await this.store.tenant(webhooks, workspaceId).get({ id, spaceId });
    if (!webhook) throw notFound("webhook");
    const rawBody = JSON.stringify(input);
    const delivery = { input, headers, query, waitMs: 0, method: "POST", rawBody };
    const { execution, response } = await launchDelivery(this, ctx, webhook, delivery);
    const answer = response ?? { status: 201, headers: {}, body: execution };
    return { executionId: execution.id, ...answer, body: answer.body ?? null };
  },
  { timeout: MAX_WAIT_MS + MARGIN_MS },
);
