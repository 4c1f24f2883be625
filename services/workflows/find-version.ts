import type { Store } from "../../adapters/store/port.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WorkflowDoc, VersionDoc } from "./model.ts";
import { versions } from "./model.ts";

/**
 * A version of a workflow.
 * @throws {AppError} not_found, also for a snapshot whose version is not in the document yet
 */
export async function findVersion(store: Store, workflow: WorkflowDoc, number: number): Promise<VersionDoc> {
  const { workspaceId, id: workflowId, version: newest } = workflow;
  const found = number <= newest && (await store.tenant(versions, workspaceId).get({ workflowId, version: number }));
  if (!found) throw notFound("version");
  return found;
}
