import { call, callerOf, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import type { Webhook } from "../../contracts/entities/webhook.ts";
import type { Page } from "../../contracts/primitives.ts";
import { withNames } from "../../service-kit/names.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { presentWebhook, type WebhookDoc, webhooks } from "./model.ts";
import { makeSecret, secretHash } from "./secret.ts";
import { findOpen, type WebhooksService } from "./service.ts";

export const create = handle<"webhooks.create", WebhooksService>("webhooks.create", async function (ctx) {
  const { workspaceId, spaceId, workflowId, name } = ctx.params;
  const all = this.store.tenant(webhooks, workspaceId);
  await ensureLimit("webhooks", spaceId, all, { spaceId });
  await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId });
  const secret = makeSecret();
  const webhook: WebhookDoc = {
    id: newId(ctx),
    ...{ workspaceId, spaceId, workflowId, name },
    secretHash: secretHash(this.hashKey, secret),
    createdBy: callerOf(ctx).userId,
    createdAt: new Date(),
  };
  const { id, secretHash: fresh } = webhook;
  // The caller of an interrupted try never saw its secret.
  await insertOnce(
    () => all.insert(webhook),
    () => all.updateOne({ id, spaceId }, { $set: { secretHash: fresh } }),
  );
  return { ...presentWebhook(webhook, this.publicUrl), secret };
});

type Asked = ParamsOf<"webhooks.listAll">;

async function pageOf(service: WebhooksService, ctx: { call: unknown }, asked: Asked): Promise<Page<Webhook>> {
  const { workspaceId, limit, cursor: after = null, spaceId, workflowId } = asked;
  const filter = { ...(spaceId !== undefined && { spaceId }), ...(workflowId !== undefined && { workflowId }) };
  const found = await service.store.tenant(webhooks, workspaceId).find(filter, { sort: { id: -1 }, limit, after });
  const presented = found.items.map(doc => presentWebhook(doc, service.publicUrl));
  return { items: await withNames(ctx, workspaceId, presented), next: found.next };
}

export const list = handle<"webhooks.list", WebhooksService>("webhooks.list", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

export const listAll = handle<"webhooks.listAll", WebhooksService>("webhooks.listAll", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

export const remove = handle<"webhooks.remove", WebhooksService>("webhooks.remove", async function (ctx) {
  const { workspaceId, spaceId, id } = ctx.params;
  if ((await this.store.tenant(webhooks, workspaceId).remove({ id, spaceId })) === 0) throw notFound("webhook");
  return null;
});

export const verify = handle<"webhooks.verify", WebhooksService>("webhooks.verify", async function (ctx) {
  return { valid: (await findOpen(this, ctx.params)) !== null };
});

export const purge = handle<"webhooks.purge", WebhooksService>("webhooks.purge", async function (ctx) {
  const { workspaceId, ...filter } = ctx.params;
  await removeAll(this.store.tenant(webhooks, workspaceId), filter);
  return null;
});
