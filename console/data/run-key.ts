import type { RunAddress } from "./run-types.ts";

/** What the keys of everything that is read of a run begin with. */
export const runKey = ({ workspaceId, id }: Pick<RunAddress, "workspaceId" | "id">) =>
  ["w", workspaceId, "run", id] as const;
