import { useQuery } from "@tanstack/react-query";
import type { WorkflowAddress } from "../data/builder.ts";
import { samplesQuery } from "../data/samples.ts";
import type { Sample } from "../../sdk/definition.ts";

const NONE: ReadonlySet<string> = new Set();
const idsOf = (samples: readonly Sample[]): ReadonlySet<string> => new Set(samples.map(({ nodeId }) => nodeId));

/** The steps that have a pinned sample. */
export function usePinned({ workspaceId, spaceId, id }: WorkflowAddress): ReadonlySet<string> {
  const { data } = useQuery({ ...samplesQuery({ workspaceId, spaceId, workflowId: id }), select: idsOf });
  return data ?? NONE;
}
