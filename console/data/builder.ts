import { queryOptions } from "@tanstack/react-query";
import type { Execution, ImportWarning, WorkflowVersion } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { readWorkflow } from "./stored-workflow.ts";
import type { Change, StoredWorkflow, WorkflowAddress } from "./workflow-types.ts";

export { readWorkflow };
export type { Change, StoredWorkflow, WorkflowAddress };

export interface Fault {
  nodeId: string | null;
  path: string;
  message: string;
  severity: "error" | "warning";
}

const keyOf = ({ workspaceId, id }: WorkflowAddress) => ["w", workspaceId, "workflow", id] as const;

/**
 * @throws {WeftError} with status 412 if the workflow has changed since it was read
 */
export async function saveWorkflow(at: WorkflowAddress, change: Change, etag: string | undefined): Promise<StoredWorkflow> {
  const ifMatch = etag === undefined ? {} : { ifMatch: etag };
  const { data, etag: next } = await weft.workflows.update({ ...at, ...change, ...ifMatch }).withResponse();
  void queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "workflows"] });
  void queryClient.invalidateQueries({ queryKey: [...keyOf(at), "versions"] });
  return { workflow: data, etag: next };
}

/** Deploys the version that the user has seen, which may be older than the newest one. */
export async function deployWorkflow(
  at: WorkflowAddress,
  version: number,
  force: boolean,
  message: string,
): Promise<StoredWorkflow> {
  const said = message === "" ? {} : { message };
  const { data, etag } = await weft.workflows.deploy({ ...at, version, force, ...said }).withResponse();
  void queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "workflows"] });
  void queryClient.invalidateQueries({ queryKey: keyOf(at), exact: true });
  return { workflow: data, etag };
}

/** The faults of a definition, which may be unsaved. */
export async function checkDefinition(
  at: Pick<WorkflowAddress, "workspaceId" | "spaceId">,
  name: string,
  definition: unknown,
  signal: AbortSignal,
): Promise<Fault[]> {
  const document = { format: "weft-workflow", version: 1, name: name || "workflow", description: "", definition };
  const { faults } = await weft.workflows.check({ ...at, document }, { signal });
  return faults;
}

/** Converts a workflow of n8n. The result names the parts that the user should check. */
export async function convertDocument(
  { workspaceId, spaceId }: Pick<WorkflowAddress, "workspaceId" | "spaceId">,
  document: unknown,
): Promise<{ definition: unknown; warnings: readonly ImportWarning[] }> {
  const { definition, warnings } = await weft.workflows.check({ workspaceId, spaceId, document });
  return { definition, warnings };
}

/** The faults of a stored version. They change only when something that the version calls changes. */
export const faultsQuery = (at: WorkflowAddress, { version, name, definition }: WorkflowVersion) =>
  queryOptions({
    queryKey: [...keyOf(at), "faults", version],
    queryFn: async ({ signal }): Promise<Fault[]> =>
      (await checkDefinition(at, name, definition, signal)).filter(({ severity }) => severity === "error"),
  });

const MAX = 200;

export const versionsQuery = (at: WorkflowAddress) =>
  queryOptions({
    queryKey: [...keyOf(at), "versions"],
    queryFn: async ({ signal }): Promise<WorkflowVersion[]> =>
      (await weft.workflows.versions({ ...at, fields: "summary", limit: MAX }, { signal })).items,
  });

export const versionQuery = (at: WorkflowAddress, version: number) =>
  queryOptions({
    queryKey: [...keyOf(at), "version", version],
    queryFn: ({ signal }): Promise<WorkflowVersion> => weft.workflows.version({ ...at, version }, { signal }),
    staleTime: Infinity,
  });

export async function restoreVersion(at: WorkflowAddress, version: number, message: string): Promise<void> {
  await weft.workflows.restoreVersion({ ...at, version, message });
  await queryClient.invalidateQueries({ queryKey: keyOf(at) });
}

/** Runs the newest version from a step on. The outputs of earlier steps come from another run. */
export const runFromStep = (at: Omit<WorkflowAddress, "id">, executionId: string, nodeId: string): Promise<Execution> =>
  weft.executions.retry({ ...at, id: executionId, fromNode: nodeId, version: "latest" });

/** The last run of a workflow. */
export const lastRunQuery = (at: WorkflowAddress) =>
  queryOptions({
    queryKey: [...keyOf(at), "last-run"],
    queryFn: async ({ signal }): Promise<Execution | null> => {
      const { workspaceId, spaceId, id } = at;
      const { items } = await weft.executions.list({ workspaceId, spaceId, workflowId: id, limit: 1 }, { signal });
      return items[0] ? await weft.executions.get({ workspaceId, spaceId, id: items[0].id }, { signal }) : null;
    },
  });
