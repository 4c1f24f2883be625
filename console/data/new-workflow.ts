import type { Workflow } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";

const renew = (workspaceId: string) => queryClient.invalidateQueries({ queryKey: ["w", workspaceId, "workflows"] });

/** A blank workflow in the default space, which has the id of its workspace. */
export async function createWorkflow(workspaceId: string, name: string): Promise<Workflow> {
  const workflow = await weft.workflows.create({ workspaceId, spaceId: workspaceId, name });
  void renew(workspaceId);
  return workflow;
}

/** A workflow from a file: one of Weft, or one of n8n, which the service converts. */
export async function importWorkflow(workspaceId: string, document: unknown) {
  const imported = await weft.workflows.import({ workspaceId, spaceId: workspaceId, document });
  void renew(workspaceId);
  return imported;
}
