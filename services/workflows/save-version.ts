import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import { type Content, MAX_DEFINITION_BYTES } from "../../core/workflow-versions.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { usesChange } from "./credential-uses.ts";
import { aliveIn, findWorkflow } from "./find-workflow.ts";
import { type VersionDoc, versions, type WorkflowDoc, workflows } from "./model.ts";

/**
 * The approximate size of the content as JSON.
 * @throws {AppError} payload_too_large when the definition is too large
 */
export function contentBytes({ name, description, definition }: Content): number {
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > MAX_DEFINITION_BYTES) {
    throw new AppError("payload_too_large", {
      detail: `A definition is limited to ${MAX_DEFINITION_BYTES} bytes of JSON.`,
    });
  }
  return bytes + Buffer.byteLength(name) + Buffer.byteLength(description);
}

/** The snapshot of the content in a workflow's document. */
export const snapshotOf = (doc: WorkflowDoc, createdBy: string, message: string | null = null): VersionDoc => ({
  id: uuid(),
  workspaceId: doc.workspaceId,
  spaceId: doc.spaceId,
  workflowId: doc.id,
  version: doc.version,
  name: doc.name,
  description: doc.description,
  definition: doc.definition,
  bytes: doc.bytes,
  message,
  createdBy,
  createdAt: doc.updatedAt,
});

function moveTo({ name, description, definition, bytes, version, createdAt }: VersionDoc) {
  const { $set, $unset } = usesChange("uses", definition);
  return {
    $set: { name, description, definition, bytes, version, updatedAt: createdAt, ...$set },
    ...($unset && { $unset }),
  };
}

/** Completes a version whose writer was interrupted: the snapshot exists, so the document is updated to it. */
async function finishOther(store: Store, { workspaceId, id, version }: WorkflowDoc): Promise<void> {
  const snapshot = await store.tenant(versions, workspaceId).get({ workflowId: id, version: version + 1 });
  if (snapshot) await store.tenant(workflows, workspaceId).updateOne({ id, version }, moveTo(snapshot));
}

/**
 * Creates the version after `current`: first the snapshot, whose number is unique, then the document. Returns null if
 * another writer took the number. The document then has that writer's version, so read it again.
 * @throws {AppError} not_found, payload_too_large
 */
export async function saveVersion(
  store: Store,
  current: WorkflowDoc,
  content: Content,
  { createdBy, message = null }: { createdBy: string; message?: string | null | undefined },
): Promise<WorkflowDoc | null> {
  const next = {
    ...current,
    ...content,
    bytes: contentBytes(content),
    version: current.version + 1,
    updatedAt: new Date(),
  };
  const snapshot = snapshotOf(next, createdBy, message);
  const { workspaceId, version } = current;
  try {
    await store.write([
      store.tenant(versions, workspaceId).ops.insert(snapshot),
      store
        .tenant(workflows, workspaceId)
        .ops.updateOne({ ...aliveIn(current), version }, moveTo(snapshot), { required: true }),
    ]);
  } catch (error) {
    if (isUniqueConflict(error)) {
      await finishOther(store, current);
      return null;
    }
    if (!isNotMatched(error)) throw error;
    // Throws if the workflow was deleted. Otherwise another writer has already updated it to this snapshot.
    await findWorkflow(store, current);
  }
  return next;
}
