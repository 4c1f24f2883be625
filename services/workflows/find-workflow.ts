import type { Collection, Store } from "../../adapters/store/port.ts";
import { notFound } from "../../contracts/errors.ts";
import { fillSlugs } from "../../service-kit/slugs.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { SLUG_FALLBACK, type WorkflowDoc, workflows, type VersionDoc, versions } from "./model.ts";

export interface WorkflowScope {
  workspaceId: string;
  spaceId: string;
  id: string;
}

export const aliveIn = ({ spaceId, id }: WorkflowScope) => ({ id, spaceId, ...ALIVE });

/** @throws {AppError} not_found, also when the workflow is in another space or workspace */
export async function findWorkflow(store: Store, scope: WorkflowScope): Promise<WorkflowDoc> {
  const all = store.tenant(workflows, scope.workspaceId);
  const workflow = await all.get(aliveIn(scope));
  if (!workflow) throw notFound("workflow");
  const [found] = await withSlugs(all, [workflow]);
  return found!;
}

/** Adds slugs to workflows of earlier versions. */
export const withSlugs = (all: Collection<WorkflowDoc>, docs: readonly WorkflowDoc[]): Promise<WorkflowDoc[]> =>
  fillSlugs(all, docs, ({ name }) => name, SLUG_FALLBACK);

/**
 * Like `findWorkflow`, for the reads at every start of an execution. The document is shared and must not be changed.
 */
export async function findSharedWorkflow(
  store: Store,
  { workspaceId, ...named }: Omit<WorkflowScope, "spaceId"> & Partial<WorkflowScope>,
): Promise<Readonly<WorkflowDoc>> {
  const workflow = await store.tenant(workflows, workspaceId).shared({ ...named, ...ALIVE });
  if (!workflow) throw notFound("workflow");
  return workflow;
}

/**
 * A version of a workflow.
 * @throws {AppError} not_found, also for a snapshot whose version is not yet in the workflow's document
 */
export async function findVersion(store: Store, workflow: WorkflowDoc, number: number): Promise<VersionDoc> {
  const { workspaceId, id: workflowId, version: newest } = workflow;
  const found = number <= newest && (await store.tenant(versions, workspaceId).get({ workflowId, version: number }));
  if (!found) throw notFound("version");
  return found;
}
