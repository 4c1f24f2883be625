/** Where an execution is read, as notifications lead there. */
export const executionLink = ({ workspaceId, spaceId, id }: { workspaceId: string; spaceId: string; id: string }) =>
  `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/${id}`;
