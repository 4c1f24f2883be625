import { useQuery } from "@tanstack/react-query";
import { schedulesQuery, webhooksQuery } from "./triggers.ts";
import { membersQuery } from "./workspaces.ts";

/**
 * Tells which first steps a new workspace has behind it: something that starts workflows, and a second member.
 * Undefined while it loads. The answer follows from the data of the workspace, so no progress is stored.
 */
export function useFirstSteps(
  workspaceId: string,
  enabled: boolean,
): { starts: boolean; hasColleague: boolean } | undefined {
  const { data: schedules } = useQuery({ ...schedulesQuery(workspaceId), enabled, refetchInterval: false });
  const { data: webhooks } = useQuery({ ...webhooksQuery(workspaceId), enabled, refetchInterval: false });
  const { data: members } = useQuery({ ...membersQuery(workspaceId), enabled });
  if (!schedules || !webhooks || !members) return undefined;
  return { starts: schedules.length + webhooks.length > 0, hasColleague: members.length > 1 };
}
