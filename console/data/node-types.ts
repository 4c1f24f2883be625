import { queryOptions } from "@tanstack/react-query";
import type { NodeTypes } from "../builder/node-types.ts";
import { weft } from "./client.ts";

/** The catalogue of step types. It changes only with the version of the service. */
export const nodeTypesQuery = queryOptions({
  queryKey: ["node-types"],
  queryFn: async ({ signal }): Promise<NodeTypes> => weft.workflows.nodeTypes({}, { signal }),
  staleTime: 60 * 60_000,
  gcTime: Infinity,
});
