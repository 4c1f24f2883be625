import type { RunAddress } from "./run-types.ts";

/** The beginning of the query keys of everything about a run. */
export const runKey = ({ workspaceId, id }: Pick<RunAddress, "workspaceId" | "id">) =>
  ["w", workspaceId, "run", id] as const;
