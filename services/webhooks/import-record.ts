import { call, handle } from "../../contracts/call.ts";
import { type WebhookRespond, webhookRespond } from "../../contracts/entities/webhook.ts";
import { newWebhookAuth, type NewWebhookAuth, type WebhookAuth } from "../../contracts/entities/webhook-auth.ts";
import { AppError } from "../../contracts/errors.ts";
import { missingInArchive, insertRecordOnce } from "../../service-kit/archive.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { slugsFor, withFreeSlug } from "../../service-kit/slugs.ts";
import { SLUG_FALLBACK, webhooks } from "./model.ts";
import type { WebhooksService } from "./service.ts";
import { setAuth } from "./settings.ts";

/**
 * Ids of credentials from an archive are not valid here. The webhook gets its own secret until a person chooses a
 * credential.
 * @throws {AppError} validation_failed when the fields do not fit together
 */
function authIn(auth: WebhookAuth): NewWebhookAuth {
  const own = { ...auth };
  if (own.type === "hmac") delete own.credential;
  const read = newWebhookAuth.safeParse(own);
  if (!read.success) throw new AppError("validation_failed", { detail: "The `auth` of the webhook is not valid." });
  return read.data;
}

/**
 * @throws {AppError} validation_failed when the archive of a newer version contains a response mode that this version
 * does not know
 */
function respondIn(respond: unknown): WebhookRespond {
  const read = webhookRespond.safeParse(respond);
  if (!read.success) throw new AppError("validation_failed", { detail: "The `respond` of the webhook is not valid." });
  return read.data;
}

/** Imports a webhook from an archive. It is disabled and has a new secret. To see a secret, a person rotates it. */
export const importRecord = handle<"webhooks.takeOver", WebhooksService>("webhooks.takeOver", async function (ctx) {
  const { workspaceId, userId, record } = ctx.params;
  const { id, spaceId, workflowId, name, slug, auth, methods, keepRaw } = record;
  const respond = respondIn(record.respond);
  const all = this.store.tenant(webhooks, workspaceId);
  if (await all.get({ id, spaceId })) return { made: false };
  await ensureLimit("webhooks", spaceId, all, { spaceId });
  const { existing } = await call(ctx, "workflows.existing", { workspaceId, ids: [workflowId] });
  if (existing.length === 0) throw missingInArchive("workflow");
  const place = { id, workspaceId, spaceId, workflowId, name };
  const { fields } = setAuth(this, id, authIn(auth));
  const settings = { enabled: false, methods, respond, keepRaw, createdBy: userId, createdAt: new Date() };
  const slugs = [...(slug === undefined ? [] : [slug]), ...slugsFor(name, SLUG_FALLBACK, id)];
  const made = await withFreeSlug(all, spaceId, slugs, free =>
    insertRecordOnce(
      () => all.insert({ ...place, ...settings, ...fields, slug: free }),
      () => all.get({ id, spaceId }),
    ),
  );
  return { made };
});
