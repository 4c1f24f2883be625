import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { call, handle, userOf } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { slugify, suffixesOf, withSuffix } from "../../core/slug.ts";
import { newId } from "../../service-kit/new-id.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { PUBLISH, draft } from "../../service-kit/tombstone.ts";
import { members, presentWorkspace, type WorkspaceDoc, workspaces } from "./model.ts";
import { markWorkspaceDeleted } from "./remove-workspace.ts";

/** Inserts the workspace with the first free one of these slugs. */
async function insertWorkspace(store: Store, doc: Omit<WorkspaceDoc, "slug">, slugs: string[]): Promise<WorkspaceDoc> {
  for (const slug of slugs) {
    try {
      return await store.global(workspaces).insert({ ...doc, slug });
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw new AppError("slug_taken");
}

export const create = handle<"workspaces.create", WithStore>("workspaces.create", async function (ctx) {
  const { userId } = userOf(ctx);
  const { name, slug } = ctx.params;
  const now = new Date();
  const id = newId(ctx);
  const own = slugify(name, "workspace");
  const slugs = slug === undefined ? [own, ...suffixesOf(id).map(suffix => withSuffix(own, suffix))] : [slug];
  const drafted = draft(now);
  const workspace = await insertWorkspace(this.store, { id, name, createdAt: now, updatedAt: now, ...drafted }, slugs);
  try {
    await call(ctx, "pods.spaces.createDefault", { workspaceId: id });
    const owner = { id: uuid(), workspaceId: id, userId, role: "owner" as const, createdAt: now, updatedAt: now };
    await this.store.tenant(members, id).insert(owner);
    const born = await this.store.global(workspaces).updateOne({ id, ...drafted }, PUBLISH);
    if (!born) throw new AppError("unavailable");
  } catch (error) {
    // Frees the slug for the next attempt. The created data is purged.
    await markWorkspaceDeleted(this.store, id, now).catch(() => undefined);
    throw error;
  }
  return presentWorkspace(workspace, "owner");
});
