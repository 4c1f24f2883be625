import { call, callerOf, handle, roleOf } from "../../contracts/call.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { NewWebhook, Webhook } from "../../contracts/entities/webhook.ts";
import { DEFAULT_HEADER, type NewWebhookAuth } from "../../contracts/entities/webhook-auth.ts";
import { includesRole } from "../../core/roles.ts";
import type { Page } from "../../contracts/primitives.ts";
import { ensureLimit, usedOfFullestSpace } from "../../service-kit/limit.ts";
import { withNames } from "../../service-kit/names.ts";
import { newId } from "../../service-kit/new-id.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { changeRevised, NEXT_REVISION, removeRevised, unchanged } from "../../service-kit/revisions.ts";
import { slugsOf, withFreeSlug } from "../../service-kit/slugs.ts";
import { authOf, deliveries, presentWebhook, SLUG_FALLBACK, type WebhookDoc, webhooks, withSlugs } from "./model.ts";
import type { WebhooksService } from "./service.ts";
import { type NewSecrets, rotate, setAuth } from "./settings.ts";

type Ref = Pick<WebhookDoc, "workspaceId" | "spaceId" | "id">;
const HEADER: NewWebhookAuth = { type: "header", name: DEFAULT_HEADER };

/** Anyone can start the workflow of a webhook without authentication, so only an admin may create one. */
function mayOpen(ctx: Parameters<typeof roleOf>[0], auth: NewWebhookAuth | undefined): void {
  if (auth?.type !== "none" || includesRole(roleOf(ctx), "admin")) return;
  throw new AppError("role_too_low", {
    detail: `A webhook without authentication requires the role \`admin\`; your role is \`${roleOf(ctx)}\`.`,
  });
}

/**
 * Checks that a credential exists when a webhook refers to it.
 * @throws {AppError} validation_failed, unavailable
 */
async function checkCredential(
  service: WebhooksService,
  place: { workspaceId: string; spaceId: string },
  auth: NewWebhookAuth | undefined,
): Promise<void> {
  if (auth?.type === "hmac" && auth.credential !== undefined) await service.keyOf(place, auth.credential);
}

function shownOnce({ publicUrl }: WebhooksService, doc: WebhookDoc, shown: NewSecrets["shown"]): NewWebhook {
  const webhook = presentWebhook(doc, publicUrl);
  const isInPath = webhook.auth.type === "path" && shown.secret !== undefined;
  return { ...webhook, ...shown, ...(isInPath && { url: `${webhook.url}/${shown.secret}` }) };
}

export const create = handle<"webhooks.create", WebhooksService>("webhooks.create", async function (ctx) {
  const { workspaceId, spaceId, workflowId, name, slug: asked, auth, ...settings } = ctx.params;
  mayOpen(ctx, auth);
  await checkCredential(this, { workspaceId, spaceId }, auth);
  const all = this.store.tenant(webhooks, workspaceId);
  const id = newId(ctx);
  const { fields, shown } = setAuth(this, id, auth ?? HEADER);
  await ensureLimit("webhooks", spaceId, all, { spaceId });
  await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId });
  // Without authentication settings, a webhook is stored in the format of earlier versions.
  const fresh = auth ? fields : { secretHash: fields.secretHash };
  const webhook: WebhookDoc = {
    id,
    ...{ workspaceId, spaceId, workflowId, name, ...settings },
    ...fresh,
    createdBy: callerOf(ctx).userId,
    createdAt: new Date(),
  };
  // The caller of an interrupted try never received its secret.
  const made = await withFreeSlug(
    all,
    spaceId,
    slugsOf(asked, name, SLUG_FALLBACK, id),
    slug => all.insert({ ...webhook, slug }),
    () => all.updateOne({ id, spaceId }, { $set: fresh }),
  );
  return shownOnce(this, made, shown);
});

type Asked = ParamsOf<"webhooks.listAll">;

async function pageOf(service: WebhooksService, ctx: { call: unknown }, asked: Asked): Promise<Page<Webhook>> {
  const { workspaceId, limit, cursor: after = null, spaceId, workflowId } = asked;
  const filter = { ...(spaceId !== undefined && { spaceId }), ...(workflowId !== undefined && { workflowId }) };
  const found = await service.store.tenant(webhooks, workspaceId).find(filter, { sort: { id: -1 }, limit, after });
  const docs = await withSlugs(service.store.tenant(webhooks, workspaceId), found.items);
  const presented = docs.map(doc => presentWebhook(doc, service.publicUrl));
  return { items: await withNames(ctx, workspaceId, presented), next: found.next };
}

export const list = handle<"webhooks.list", WebhooksService>("webhooks.list", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

export const listAll = handle<"webhooks.listAll", WebhooksService>("webhooks.listAll", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

async function findWebhook({ store }: WebhooksService, { workspaceId, spaceId, id }: Ref): Promise<WebhookDoc> {
  const found = await store.tenant(webhooks, workspaceId).get({ id, spaceId });
  if (!found) throw notFound("webhook");
  return found;
}

export const get = handle<"webhooks.get", WebhooksService>("webhooks.get", async function (ctx) {
  const { workspaceId } = ctx.params;
  const found = await findWebhook(this, ctx.params);
  const [webhook] = (await withSlugs(this.store.tenant(webhooks, workspaceId), [found])) as [WebhookDoc];
  const [named] = await withNames(ctx, workspaceId, [presentWebhook(webhook, this.publicUrl)]);
  return named!;
});

export const update = handle<"webhooks.update", WebhooksService>("webhooks.update", async function (ctx) {
  const { workspaceId, spaceId, id, auth, ifMatch, ...settings } = ctx.params;
  mayOpen(ctx, auth);
  await checkCredential(this, { workspaceId, spaceId }, auth);
  const all = this.store.tenant(webhooks, workspaceId);
  const { fields, shown }: Partial<NewSecrets> = auth ? setAuth(this, id, auth) : {};
  const $set = { ...settings, ...fields };
  const $unset = auth && !$set.credentialId && { $unset: { credentialId: true as const } };
  const change = { $set, $inc: NEXT_REVISION, ...$unset };
  const updated = await changeRevised(
    () => findWebhook(this, ctx.params),
    ifMatch,
    async old => (Object.keys($set).length > 0 ? all.updateOne({ ...unchanged(old), spaceId }, change) : old),
  );
  return shownOnce(this, updated, shown ?? {});
});

export const rotateSecret = handle<"webhooks.rotateSecret", WebhooksService>(
  "webhooks.rotateSecret",
  async function (ctx) {
    const { workspaceId, secret } = ctx.params;
    const all = this.store.tenant(webhooks, workspaceId);
    let shown: NewSecrets["shown"] = {};
    const updated = await changeRevised(
      () => findWebhook(this, ctx.params),
      undefined,
      old => {
        const made = rotate(this, old, authOf(old), secret);
        shown = made.shown;
        // The hash changes with every secret, even if no secret matches it, and on nodes that do not count changes.
        const same = { ...unchanged(old), secretHash: old.secretHash };
        return all.updateOne(same, { $set: made.fields, $inc: NEXT_REVISION });
      },
    );
    return shownOnce(this, updated, shown);
  },
);

export const remove = handle<"webhooks.remove", WebhooksService>("webhooks.remove", async function (ctx) {
  const { workspaceId, spaceId, id, ifMatch } = ctx.params;
  await removeRevised(this.store.tenant(webhooks, workspaceId), () => findWebhook(this, ctx.params), ifMatch);
  await this.store.tenant(deliveries, workspaceId).remove({ id, spaceId });
  return null;
});

export const purge = handle<"webhooks.purge", WebhooksService>("webhooks.purge", async function (ctx) {
  const { workspaceId, ...filter } = ctx.params;
  await removeAll(this.store.tenant(webhooks, workspaceId), filter);
  await removeAll(this.store.tenant(deliveries, workspaceId), filter);
  return null;
});

export const usage = handle<"webhooks.usage", WebhooksService>("webhooks.usage", async function (ctx) {
  return { webhooks: await usedOfFullestSpace(this.store.tenant(webhooks, ctx.params.workspaceId)) };
});
