import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import { AppError } from "../../contracts/errors.ts";
import { type Content, MAX_DEFINITION_BYTES } from "../../core/workflow-versions.ts";
import { isNotMatched, isUniqueConflict } from "../../mixins/store-conflicts.ts";
import { aliveIn, findWorkflow } from "./find-workflow.ts";
import { type VersionDoc, versions, type WorkflowDoc, workflows } from "./model.ts";

/** About the size of the content as JSON. Errors: payload_too_large, for the definition. */
export function contentBytes({ name, description, definition }: Content): number {
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > MAX_DEFINITION_BYTES) {
    throw new AppError("payload_too_large", {
      detail: `A definition is limited to ${MAX_DEFINITION_BYTES} bytes of JSON.`,
    });
  }
  return bytes + Buffer.byteLength(name) + Buffer.byteLength(description);
}

/** The snapshot of a workflow's content as its document has it. */
export const snapshotOf = (doc: WorkflowDoc, createdBy: string): VersionDoc => ({
  id: uuid(),
  workspaceId: doc.workspaceId,
  spaceId: doc.spaceId,
  workflowId: doc.id,
  version: doc.version,
  name: doc.name,
  description: doc.description,
  definition: doc.definition,
  bytes: doc.bytes,
  createdBy,
  createdAt: doc.updatedAt,
});

const moveTo = ({ name, description, definition, bytes, version, createdAt }: VersionDoc) => ({
  $set: { name, description, definition, bytes, version, updatedAt: createdAt },
});

/** Brings a document up to a snapshot that was written before its writer could go on. */
async function finishOther(store: Store, { workspaceId, id, version }: WorkflowDoc): Promise<void> {
  const snapshot = await store.tenant(versions, workspaceId).get({ workflowId: id, version: version + 1 });
  if (snapshot) await store.tenant(workflows, workspaceId).updateOne({ id, version }, moveTo(snapshot));
}

/**
 * Makes the version after `current`: the snapshot first, whose number can be taken once, then the document. Gives null
 * where another writer took the number; the document is then at that writer's version, so look again. Errors: not_found,
 * payload_too_large.
 */
export async function saveVersion(
  store: Store,
  current: WorkflowDoc,
  content: Content,
  createdBy: string,
): Promise<WorkflowDoc | null> {
  const next = {
    ...current,
    ...content,
    bytes: contentBytes(content),
    version: current.version + 1,
    updatedAt: new Date(),
  };
  const snapshot = snapshotOf(next, createdBy);
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
    // Either it was deleted, or another writer has already brought it up to this snapshot.
    await findWorkflow(store, current);
  }
  return next;
}
