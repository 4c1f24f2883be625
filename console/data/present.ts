import type { WorkflowPresence } from "../../sdk/definition.ts";
import { queryClient } from "./query-client.ts";

export type Present = WorkflowPresence["present"][number];

export const presenceKey = (workspaceId: string, workflowId: string) =>
  ["w", workspaceId, "presence", workflowId] as const;

/** Takes in who has a workflow open, as a report answers it or as the stream of the workspace tells it. */
export function hearPresence(workspaceId: string, { workflowId, present }: WorkflowPresence): void {
  queryClient.setQueryData<readonly Present[]>(presenceKey(workspaceId, workflowId), present);
}
