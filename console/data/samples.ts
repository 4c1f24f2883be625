import { queryOptions } from "@tanstack/react-query";
import type { Sample } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

/** The workflow that the samples belong to. */
export interface FlowAddress {
  workspaceId: string;
  spaceId: string;
  workflowId: string;
}

export const keyOf = ({ workspaceId, workflowId }: FlowAddress) => ["w", workspaceId, "workflow", workflowId] as const;
export const callOf = ({ workspaceId, spaceId, workflowId }: FlowAddress) => ({ workspaceId, spaceId, id: workflowId });

const PAGE = 200;

/** Which steps have a sample, without the values. */
export const samplesQuery = (at: FlowAddress) =>
  queryOptions({
    queryKey: [...keyOf(at), "samples"],
    queryFn: async ({ signal }): Promise<Sample[]> => {
      const { items } = await weft.workflows.samples.list({ ...callOf(at), limit: PAGE }, { signal });
      return items;
    },
    staleTime: 60_000,
  });
