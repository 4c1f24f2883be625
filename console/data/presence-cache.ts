import type { WorkflowPresence } from "../../sdk/definition.ts";
import { queryClient } from "./query-client.ts";

export type PresentUser = WorkflowPresence["present"][number];

export const presenceKey = (workspaceId: string, workflowId: string) =>
  ["w", workspaceId, "presence", workflowId] as const;

/** Stores who has a workflow open, from the answer to a report or from the stream of the workspace. */
export function storePresence(workspaceId: string, { workflowId, present }: WorkflowPresence): void {
  queryClient.setQueryData<readonly PresentUser[]>(presenceKey(workspaceId, workflowId), present);
}
