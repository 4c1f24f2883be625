import type { Workflow } from "../../contracts/entities/workflow.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { credentialUses } from "../../core/graph/uses.ts";
import type { Content } from "../../core/workflow-versions.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { slugsOf, withFreeSlug } from "../../service-kit/slugs.ts";
import { holdFiles, type Writer } from "./file-holds.ts";
import type { WorkflowScope } from "./find-workflow.ts";
import { presentWorkflow, SLUG_FALLBACK, versions, type WorkflowDoc, workflows } from "./model.ts";
import { contentBytes, snapshotOf } from "./save-version.ts";

/**
 * Inserts a workflow with its version 1. Without a slug it gets one made from its name. `more` contains further fields
 * of the workflow.
 * @throws {AppError} payload_too_large when the definition is too large; slug_taken
 */
export async function insertWorkflow(
  writer: Writer,
  { id, workspaceId, spaceId }: WorkflowScope,
  { name, description, definition, slug: asked }: Content & { slug?: string | undefined },
  userId: string,
  more: Partial<WorkflowDoc> = {},
): Promise<Workflow> {
  const { store } = writer;
  const now = new Date();
  const uses = credentialUses(definition);
  const workflow: WorkflowDoc = {
    id,
    workspaceId,
    spaceId,
    name,
    description,
    definition,
    bytes: contentBytes({ name, description, definition }),
    status: "active",
    starred: false,
    version: 1,
    deployedAt: null,
    deployedVersion: null,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    ...(uses.length > 0 && { uses }),
    ...more,
  };
  await holdFiles(writer, workflow, definition);
  const all = store.tenant(workflows, workspaceId);
  const snapshots = store.tenant(versions, workspaceId);
  const insertAs = async (slug: string) => {
    const insert = all.ops.insert({ ...workflow, slug });
    await store.write([snapshots.ops.insert(snapshotOf(workflow, userId)), insert]).catch((error: unknown) => {
      if (!isUniqueConflict(error)) throw error;
      // Only this creation uses the id, so an earlier try has written the version, and perhaps the workflow.
      return store.write([insert]);
    });
    return presentWorkflow({ ...workflow, slug });
  };
  const former = async () => {
    const found = await all.get({ id });
    if (found?.purgeAt) throw notFound("workflow");
    return found && presentWorkflow(found);
  };
  try {
    return await withFreeSlug(all, spaceId, slugsOf(asked, name, SLUG_FALLBACK, id), insertAs, former);
  } catch (error) {
    if (error instanceof AppError && error.type === "slug_taken") await snapshots.remove({ workflowId: id });
    throw error;
  }
}
