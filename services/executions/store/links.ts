/** The path of an execution, as notifications link to it. */
export const executionLink = ({ workspaceId, spaceId, id }: { workspaceId: string; spaceId: string; id: string }) =>
  `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/${id}`;
