import { call, handle } from "../../contracts/call.ts";
import { insertRecordOnce, missingInArchive } from "../../service-kit/archive.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { slugsFor, withFreeSlug } from "../../service-kit/slugs.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { schedules } from "./model.ts";
import { bytesOf } from "./schedules.ts";
import { SLUG_FALLBACK, workflowNames } from "./slugs.ts";
import { nextDueFields } from "./timing.ts";

/** Imports a schedule from an archive. It is disabled, so that nothing runs before a person has checked it. */
export const importRecord = handle<"schedules.takeOver", WithStore>("schedules.takeOver", async function (ctx) {
  const { workspaceId, userId, record } = ctx.params;
  const { id, spaceId, workflowId, slug, cronExpr, timezone, input } = record;
  const all = this.store.tenant(schedules, workspaceId);
  if (await all.get({ id, spaceId })) return { made: false };
  const now = new Date();
  nextDueFields({ cronExpr, timezone }, now);
  const bytes = bytesOf(input);
  await ensureLimit("schedules", spaceId, all, { spaceId });
  const { existing } = await call(ctx, "workflows.existing", { workspaceId, ids: [workflowId] });
  if (existing.length === 0) throw missingInArchive("workflow");
  const place = { id, workspaceId, spaceId, workflowId };
  const times = { createdBy: userId, createdAt: now, updatedAt: now };
  const doc = { ...place, cronExpr, timezone, input, bytes, enabled: false, ...times };
  const [name = ""] = await workflowNames(ctx, [doc]);
  const slugs = [...(slug === undefined ? [] : [slug]), ...slugsFor(name, SLUG_FALLBACK, id)];
  const made = await withFreeSlug(all, spaceId, slugs, free =>
    insertRecordOnce(
      () => all.insert({ ...doc, slug: free }),
      () => all.get({ id, spaceId }),
    ),
  );
  return { made };
});
