import type { Store } from "../../adapters/store/port.ts";
import type { CheckedFault } from "../../contracts/entities/workflow.ts";
import { deployedWarnings } from "../../core/graph/check-definition.ts";
import { type VersionDoc, type WorkflowDoc, versions } from "./model.ts";

/** The most versions whose warnings are cached, so that not every read of a workflow checks it again. */
const MAX_KEPT = 1_000;
/** By the snapshot's id. Neither a snapshot nor the rules change while a process runs. */
const kept = new Map<string, readonly CheckedFault[]>();

function ofSnapshot({ id, definition }: VersionDoc): readonly CheckedFault[] {
  const known = kept.get(id);
  if (known) return known;
  const found = deployedWarnings(definition);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(id, found);
  return found;
}

/** The errors that the current rules find in the version that a workflow's triggers run; empty if none is deployed. */
export async function warningsOf(
  store: Store,
  { workspaceId, id: workflowId, deployedVersion: version }: WorkflowDoc,
): Promise<{ deployedWarnings?: CheckedFault[] }> {
  if (version === null) return {};
  const snapshot = await store.tenant(versions, workspaceId).get({ workflowId, version });
  const found = snapshot ? ofSnapshot(snapshot) : [];
  return found.length > 0 ? { deployedWarnings: [...found] } : {};
}
