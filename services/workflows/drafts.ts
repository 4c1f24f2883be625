import { v7 as uuid } from "uuid";
import type { Service } from "moleculer";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { DRAFT_DAYS, revisionEtag } from "../../contracts/entities/workflow-draft.ts";
import { AppError } from "../../contracts/errors.ts";
import { matchesTag } from "../../core/if-match.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type DraftDoc, drafts, presentDraft } from "./draft-model.ts";
import { findWorkflow, type WorkflowScope } from "./find-workflow.ts";
import { contentBytes } from "./save-version.ts";

const DAY_MS = 86_400_000;
/** Each failed attempt means that another request of the same user stored the draft. */
const MAX_ATTEMPTS = 20;

const own = ({ id: workflowId }: WorkflowScope, userId: string) => ({ workflowId, userId });

export const getDraft = handle<"workflows.drafts.get", WithStore>("workflows.drafts.get", async function (ctx) {
  await findWorkflow(this.store, ctx.params);
  const { workspaceId } = ctx.params;
  const found = await this.store.tenant(drafts, workspaceId).get(own(ctx.params, callerOf(ctx).userId));
  return found && presentDraft(found);
});

/** Stores a draft in place of the previous one. Returns null if another request was faster. */
async function keep(store: Store, old: DraftDoc | null, next: DraftDoc): Promise<DraftDoc | null> {
  const all = store.tenant(drafts, next.workspaceId);
  const { baseVersion, name, description, definition, revision, updatedAt } = next;
  const $set = { baseVersion, name, description, definition, revision, updatedAt };
  if (old) return all.updateOne({ id: old.id, revision: old.revision }, { $set });
  try {
    return await all.insert(next);
  } catch (error) {
    if (isUniqueConflict(error)) return null;
    throw error;
  }
}

export const updateDraft = handle<"workflows.drafts.update", WithStore>(
  "workflows.drafts.update",
  async function (ctx) {
    const { workspaceId, spaceId, id: workflowId, baseVersion, name, description, definition, ifMatch } = ctx.params;
    contentBytes({ name, description, definition });
    const { userId } = callerOf(ctx);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await findWorkflow(this.store, ctx.params);
      const old = await this.store.tenant(drafts, workspaceId).get(own(ctx.params, userId));
      if (ifMatch !== undefined && !matchesTag(ifMatch, revisionEtag(old))) {
        throw new AppError("precondition_failed");
      }
      const kept = await keep(this.store, old, {
        ...{ id: old?.id ?? uuid(), workspaceId, spaceId, workflowId, userId },
        ...{ baseVersion, name, description, definition },
        ...{ revision: uuid(), updatedAt: new Date() },
      });
      if (kept) return presentDraft(kept);
    }
    throw new AppError("conflict");
  },
);

export const removeDraft = handle<"workflows.drafts.remove", WithStore>(
  "workflows.drafts.remove",
  async function (ctx) {
    await findWorkflow(this.store, ctx.params);
    await this.store.tenant(drafts, ctx.params.workspaceId).remove(own(ctx.params, callerOf(ctx).userId));
    return null;
  },
);

export const purgeDrafts = handle<"workflows.drafts.purge", WithStore>("workflows.drafts.purge", async function (ctx) {
  const { workspaceId, userId } = ctx.params;
  await removeAll(this.store.tenant(drafts, workspaceId), { userId });
  return null;
});

/** Removes drafts that were not changed for a month. */
export function sweepDrafts(this: Service & WithStore, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - DRAFT_DAYS * DAY_MS);
  return removeAll(this.store.acrossTenants(drafts), { updatedAt: { $lt: oldest } });
}
