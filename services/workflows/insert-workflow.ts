import type { Workflow } from "../../contracts/entities/workflow.ts";
import type { Content } from "../../core/workflow-versions.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { holdFiles, type Writer } from "./file-holds.ts";
import { findWorkflow, type WorkflowScope } from "./find-workflow.ts";
import { presentWorkflow, versions, type WorkflowDoc, workflows } from "./model.ts";
import { credentialUses } from "../../core/graph/uses.ts";
import { contentBytes, snapshotOf } from "./save-version.ts";

/**
 * Inserts a workflow with its version 1. `more` holds fields of the workflow as a whole.
 * @throws {AppError} payload_too_large when the definition is too large
 */
export async function insertWorkflow(
  writer: Writer,
  { id, workspaceId, spaceId }: WorkflowScope,
  { name, description, definition }: Content,
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
  const insert = store.tenant(workflows, workspaceId).ops.insert(workflow);
  try {
    await store.write([store.tenant(versions, workspaceId).ops.insert(snapshotOf(workflow, userId)), insert]);
    return presentWorkflow(workflow);
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    // The id belongs to this creation alone: an earlier try has written the version, and perhaps the workflow.
    await store.write([insert]).catch((again: unknown) => {
      if (!isUniqueConflict(again)) throw again;
    });
    return presentWorkflow(await findWorkflow(store, workflow));
  }
}
