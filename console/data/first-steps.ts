import { useQuery } from "@tanstack/react-query";
import { schedulesQuery, webhooksQuery } from "./triggers.ts";
import { membersQuery } from "./workspaces.ts";

/**
 * What a new workspace has already: something that starts workflows, and a second member. Undefined while it is not known.
 * What exists says how far people are, so nothing has to be remembered.
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
